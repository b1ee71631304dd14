CONDITIONS=("empty?",)
