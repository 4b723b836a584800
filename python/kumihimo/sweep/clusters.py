"""Where the points of a sweep are run."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kumihimo.errors import UserError
from kumihimo.sweep.interruption import kept_from_children

if TYPE_CHECKING:
    from distributed.deploy import Cluster

ClusterName = Literal["local", "slurm", "pbs"]

# What asks a batch system for a job.
_SUBMIT = {"slurm": "sbatch", "pbs": "qsub"}
# Warnings of workers that end, which are of no use to the user.
_QUIET = "CRITICAL"
# Dask's own port may be taken, by another sweep for instance.
_ANY_PORT = "127.0.0.1:0"


@dataclass(frozen=True)
class Place:
    """Where to run, as the user asked.

    Attributes:
        cluster: Processes of this computer, or jobs of a batch system.
        workers: How many points run at once; None for one for each core, or 1 job.
        scratch: A folder for what Dask writes; of batch systems, one that all computers see.
    """

    cluster: ClusterName
    workers: int | None
    scratch: Path


@dataclass(frozen=True)
class Workers:
    """The processes that run points.

    Attributes:
        cluster: Dask's.
        place: Where they are.
        refusals: What the batch system said when it refused a job; grows.
    """

    cluster: Cluster
    place: Place
    refusals: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Complain if there will be no more of them.

        Raises:
            UserError: If the batch system has refused a job.
        """
        if self.refusals:
            command = _SUBMIT[self.place.cluster]
            told = f"{command} refused a job: {self.refusals[0]}"
            raise UserError(f"cannot use the {self.place.cluster} cluster: {told}", exit_code=1)


class Crew:
    """Workers that start when they are needed first, and stay for the sweeps that follow.

    Their start takes longer than most points.
    """

    def __init__(self, place: Place) -> None:
        """Start nothing yet.

        Args:
            place: Where they will run.
        """
        self._place = place
        self._workers: Workers | None = None

    def workers(self) -> Workers:
        """Return the workers, which are started if there are none.

        Raises:
            UserError: If the batch system cannot be used.
        """
        if self._workers is None:
            self._workers = open_cluster(self._place)
        return self._workers

    def dismiss(self) -> None:
        """End the workers; one that does not answer any more must not keep others waiting."""
        if self._workers is None:
            return
        cluster, self._workers = self._workers.cluster, None
        try:
            cluster.close(timeout=20)
        except (OSError, TimeoutError) as error:
            print(f"kumihimo: the cluster did not close: {error}", file=sys.stderr)
        except AssertionError:
            # Dask is not prepared for a job that is asked for at this very moment; all else is
            # closed.
            print("kumihimo: a job may be left that was being asked for", file=sys.stderr)


def open_cluster(place: Place) -> Workers:
    """Start the workers, each of which runs one point at a time.

    How jobs are to be asked for (queue, time, memory) is read by dask-jobqueue from its own
    configuration, ~/.config/dask/jobqueue.yaml.

    Raises:
        UserError: If the batch system cannot be used.
    """
    from dask import config

    # What is to happen to the points of a worker that died is decided by the sweep.
    config.set({"distributed.scheduler.allowed-failures": 0})
    # Else Dask's scheduler makes a folder in the system's temporary folder, and leaves it.
    config.set({"temporary-directory": str(place.scratch)})
    with kept_from_children():
        return _local(place) if place.cluster == "local" else _jobs(place)


def _local(place: Place) -> Workers:
    from distributed import LocalCluster

    cluster = LocalCluster(
        n_workers=place.workers or len(os.sched_getaffinity(0)),
        threads_per_worker=1,
        processes=True,
        # A worker's memory is that of a process that only waits; the run has its own.
        memory_limit=0,
        dashboard_address=_ANY_PORT,
        local_directory=str(place.scratch),
        silence_logs=_QUIET,
    )
    return Workers(cluster, place)


def _jobs(place: Place) -> Workers:
    from dask import config

    # Fails on import if a configuration file is wrong.
    from dask_jobqueue import PBSCluster, SLURMCluster

    from kumihimo.sweep.jobs import telling

    makers: dict[str, Any] = {"slurm": SLURMCluster, "pbs": PBSCluster}
    command = _SUBMIT[place.cluster]
    if shutil.which(command) is None:
        raise UserError(f"cannot use the {place.cluster} cluster: there is no {command} here")
    memory = config.get(f"jobqueue.{place.cluster}.memory", None) or "4 GiB"
    cores = config.get(f"jobqueue.{place.cluster}.cores", None) or 1
    scheduler_options = config.get(f"jobqueue.{place.cluster}.scheduler-options", None) or {}
    refusals: list[str] = []
    maker = makers[place.cluster]
    try:
        cluster: Cluster = maker(
            job_cls=telling(maker.job_cls, refusals.append),
            scheduler_options={"dashboard_address": _ANY_PORT, **scheduler_options},
            cores=cores,
            memory=memory,
            processes=1,
            worker_extra_args=["--nthreads", "1", "--memory-limit", "0"],
            local_directory=str(place.scratch),
            log_directory=str(place.scratch),
            silence_logs=_QUIET,
        )
        # Jobs that end, for instance at their time limit, are asked for again.
        cluster.adapt(minimum_jobs=1, maximum_jobs=place.workers or 1)
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise UserError(f"cannot use the {place.cluster} cluster: {error}") from error
    return Workers(cluster, place, refusals)
