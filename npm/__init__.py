"""Programs of other people that tests and benchmarks run with Node; each folder pins one set of them."""
