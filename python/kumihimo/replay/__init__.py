"""`kumihimo replay`: a schedule is executed over a platform, without processes."""
