"""Read the transcripts that coding agents keep on this machine."""
