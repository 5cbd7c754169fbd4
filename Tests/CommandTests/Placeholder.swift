// Command
