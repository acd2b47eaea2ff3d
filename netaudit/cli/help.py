"""What `netaudit --help` says. Text, so that help costs no import."""

HELP = """\
netaudit: say once what a lossless fabric shall be; build it, push it safely, see where it drifted

Usage: netaudit COMMAND [OPTIONS]

  Describe     init DIR           a commented intent to start from, with the tables beside it
               check INTENT       is it buildable? every problem with file:line:column
               show WHAT INTENT   a value and where it comes from (headroom, ecn, rib, explain …)
               diff OLD NEW       what a change of the intent does to devices (git revisions too)
               whatif INTENT      what is left when a link, module, switch or plane fails
               export INTENT WHAT cable plan, graph (cables, dot, json)
               schema             JSON Schema for editors

  Change       render INTENT      device files, without touching a device
               plan INTENT        what would be pushed, with its impact
               push PLAN          plane by plane, with gates; undoes what fails
               rollback RUN       back to the state before a push

  Watch        audit INTENT       is the fabric as intended? the cause and the command that fixes it
               collect, compare   a snapshot of the devices; two of them side by side
               report, history    the last audit again; every audit so far, with what was new
               waive INTENT …     accept a finding until a day
               schedule           the weekly audit as a timer
               doctor INTENT      which step of reaching a device fails

  Study        lab, demo          a fabric to try everything on, without hardware
               tune INTENT        measured lengths of cables into the intent
               lint-tables DIR    vendors' headroom tables against physics and themselves
               rules              every rule: what, why, how to fix

Options      --where TEXT   a part of the fabric: "plane=a unit=su1", a-su1-r3-leaf
             -o FORMAT      text, json, and what the command names
             --targets FILE how devices are reached, in place of the intent's `management`
             --version      --help, also after a command, then with examples
             --install-completion   the shell completes commands and options

Exit codes   0 as intended · 2 findings · 3 incomplete · 4 bad input · 1 failure of netaudit itself
Every option is also a variable: --where is NETAUDIT_WHERE.

Next: netaudit demo        a whole fabric on this machine, in one minute
"""
