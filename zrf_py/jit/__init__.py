"""A small Python → LLVM: functions of whole numbers and arrays as machine code. It knows no game; see README.md."""
