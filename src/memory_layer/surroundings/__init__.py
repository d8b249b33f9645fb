"""The machine around us, read and never written."""
