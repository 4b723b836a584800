"""A Slurm of one computer, for one test: real daemons in a folder, without systemd."""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sweeps import CLUSTER

QUEUE = "night"
_PATIENCE_S = 30.0
# The ports that Linux gives to programs which ask for any.
_GIVEN_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")
_CONFIGURATION = """\
ClusterName=kumihimo
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={controller_port}
SlurmdPort={node_port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=2
# The node has what is said here, whatever the computer has.
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=8192 State=UNKNOWN
PartitionName={queue} Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class SlurmCluster:
    """One node with two cores and one partition.

    Attributes:
        environment: With it Slurm's commands, and their callers, find this cluster.
    """

    def __init__(self, folder: Path) -> None:
        self.environment = {
            **os.environ,
            "SLURM_CONF": str(folder / "slurm.conf"),
            **CLUSTER,
            "DASK_JOBQUEUE__SLURM__QUEUE": QUEUE,
        }

    def tell(self, *command: str) -> str:
        """Run a command of Slurm's and return what it says."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True
        ).stdout

    def jobs(self) -> list[str]:
        """The numbers of the jobs that wait, run or end."""
        return self.tell("squeue", "--noheader", "--format", "%i").split()

    def is_ready(self) -> bool:
        """Whether the node takes jobs."""
        asked = subprocess.run(
            ["sinfo", "--noheader", "--format", "%T"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return asked.stdout.strip() == "idle"

    def cancel_all(self) -> None:
        """End every job, and wait until Slurm has seen it end."""
        if jobs := self.jobs():
            self.tell("scancel", *jobs)
        _wait_until(lambda: not self.jobs(), "jobs of Slurm do not end")


@contextmanager
def slurm_cluster() -> Iterator[SlurmCluster]:
    """Start a cluster, whose files are all in a folder of its own; end it."""
    with TemporaryDirectory(prefix="slurm-") as name, ExitStack() as daemons:
        # munged wants its socket to be reachable by all users.
        Path(name).chmod(0o755)
        yield _start(Path(name), daemons)


def _start(folder: Path, daemons: ExitStack) -> SlurmCluster:
    """Start all daemons; `daemons` ends them."""

    def start(name: str, *options: str) -> None:
        daemons.enter_context(_daemon(folder, name, options))

    configuration = _configure(folder)
    key, socket_file = folder / "munge.key", folder / "munge.socket"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(128))
    others = [f"--{what}-file={folder}/munge.{what}" for what in ("pid", "log", "seed")]
    start("munged", "-F", f"--socket={socket_file}", f"--key-file={key}", *others)
    _wait_until(socket_file.exists, "munged does not start")
    start("slurmctld", "-D", "-f", str(configuration))
    start("slurmd", "-D", "-f", str(configuration))
    cluster = SlurmCluster(folder)
    try:
        _wait_until(cluster.is_ready, "Slurm does not start")
    except AssertionError as error:
        for file in sorted(folder.glob("*.out")):
            error.add_note(f"{file.name}:\n{file.read_text(errors='replace')[-2000:]}")
        raise
    daemons.callback(cluster.cancel_all)
    return cluster


def _bind(port: socket.socket) -> None:
    """Bind it to a free port that no other program gets unless it asks for just that one."""
    first_given = int(_GIVEN_PORTS.read_text().split()[0])
    for number in secrets.SystemRandom().sample(range(first_given // 2, first_given), 100):
        with suppress(OSError):
            return port.bind(("127.0.0.1", number))
    raise AssertionError("no port is free")


def _configure(folder: Path) -> Path:
    """Write what Slurm reads."""
    with socket.socket() as controller, socket.socket() as node:
        for port in (controller, node):
            _bind(port)
        text = _CONFIGURATION.format(
            folder=folder,
            host=socket.gethostname(),
            user=getpass.getuser(),
            queue=QUEUE,
            controller_port=controller.getsockname()[1],
            node_port=node.getsockname()[1],
        )
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    configuration = folder / "slurm.conf"
    configuration.write_text(text)
    # Nothing here needs control groups, which a container may lack; this plug-in asks for none.
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
    return configuration


@contextmanager
def _daemon(folder: Path, name: str, options: Sequence[str]) -> Iterator[None]:
    """Run a daemon, which stays in the foreground, and end it."""
    program = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert program is not None, f"{name} is not installed"
    with (folder / f"{name}.out").open("wb") as out:
        process = subprocess.Popen([program, *options], stdout=out, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until(holds: Callable[[], bool], complaint: str) -> None:
    deadline_s = time.monotonic() + _PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline_s, complaint
        time.sleep(0.1)
