"""What `netaudit --help` says. Text, so that help costs no import."""

HELP = """\
netaudit: say once what a lossless fabric shall be; build it, push it safely, see where it drifted

Usage: netaudit COMMAND [OPTIONS]

  Describe     check INTENT       is it buildable? every problem with file:line:column
               show WHAT INTENT   a value and where it comes from (headroom, ecn, rib, explain …)
               schema             JSON Schema for editors

  Change       render INTENT      device files, without touching a device
               plan INTENT        what would be pushed, with its impact
               push PLAN          plane by plane, with gates; undoes what fails
               rollback RUN       back to the state before a push

  Watch        audit INTENT       is the fabric as intended? the cause and the command that fixes it
               collect INTENT     a snapshot of the devices
               doctor INTENT      which step of reaching a device fails

  Study        lab, demo          a fabric to try everything on, without hardware
               rules              every rule: what, why, how to fix

Options      --where TEXT   a part of the fabric: "plane=a unit=su1", a-su1-r3-leaf
             -o FORMAT      text, json, and what the command names
             --targets FILE how devices are reached, in place of the intent's `management`
             --version      --help, also after a command

Exit codes   0 as intended · 2 findings · 3 incomplete · 4 bad input · 1 failure of netaudit itself
Every option is also a variable: --where is NETAUDIT_WHERE.

Next: netaudit demo        a whole fabric on this machine, in one minute
"""
