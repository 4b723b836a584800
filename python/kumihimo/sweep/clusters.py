"""Where the points of a study are run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kumihimo.errors import UserError

if TYPE_CHECKING:
    from distributed.deploy import Cluster

ClusterName = Literal["local", "slurm", "pbs"]

# What asks a batch system for a job.
_SUBMIT = {"slurm": "sbatch", "pbs": "qsub"}
# Warnings of workers that end, which are of no use to the user.
_QUIET = "CRITICAL"


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


def open_cluster(place: Place) -> Cluster:
    """Start the workers, each of which runs one point at a time.

    How jobs are to be asked for (queue, time, memory) is read by dask-jobqueue from its own
    configuration, ~/.config/dask/jobqueue.yaml.

    Raises:
        UserError: If the batch system cannot be used.
    """
    from dask import config

    # What is to happen to the points of a worker that died is decided by the sweep.
    config.set({"distributed.scheduler.allowed-failures": 0})
    return _local(place) if place.cluster == "local" else _jobs(place)


def _local(place: Place) -> Cluster:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=place.workers or len(os.sched_getaffinity(0)),
        threads_per_worker=1,
        processes=True,
        # A worker's memory is that of a process that only waits; the run has its own.
        memory_limit=0,
        dashboard_address=None,
        local_directory=str(place.scratch),
        silence_logs=_QUIET,
    )


def _jobs(place: Place) -> Cluster:
    from dask import config

    # Fails on import if a configuration file is wrong.
    from dask_jobqueue import PBSCluster, SLURMCluster

    makers: dict[str, Callable[..., Any]] = {"slurm": SLURMCluster, "pbs": PBSCluster}
    command = _SUBMIT[place.cluster]
    if shutil.which(command) is None:
        raise UserError(f"cannot use the {place.cluster} cluster: there is no {command} here")
    memory = config.get(f"jobqueue.{place.cluster}.memory", None) or "4 GiB"
    cores = config.get(f"jobqueue.{place.cluster}.cores", None) or 1
    try:
        cluster: Cluster = makers[place.cluster](
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
    return cluster
