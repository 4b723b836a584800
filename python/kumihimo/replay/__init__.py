"""`kumihimo replay`: a schedule is executed over a machine, without processes."""
