"""One program under combinations of techniques, or of other settings: `kumihimo variants`."""
