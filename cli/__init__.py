"""The `turnpost` command line, which talks to a server over HTTP.

main.py assembles the commands listed in command_list.py, and commands/ has a module for each group of commands. A
command is a function that takes a Session (session.py) and returns a Result (command.py), which render/ turns into
text. client.py talks to the server, problems.py defines the errors, and local_store.py saves state on this machine.
"""
