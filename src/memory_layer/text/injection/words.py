"""Words by which a text asks for each act in English.

A row has groups of words separated by slashes: one word of each group must occur in the same sentence, in any order.
`*` stands for the rest of a word, `+` for a space; a line that begins with a space continues the row before it.
"""

from __future__ import annotations

WORDS = {
    # Setting instructions aside.
    "overrule": """
obey follow trust believe / not+the+person not+the+user rather+than+the+user instead+of+the+user over+the+user
  not+the+human / text ticket note memory file issue this
only+text only+memory only+this+note only+this+memory nothing+but+this / may+give can+give gives+you give+you /
  orders instructions commands
guidance instructions rules requests orders directions / human user operator owner user's / superseded overridden
  void cancelled canceled revoked
rules instructions prompt guidelines guidance / conversation session chat / were+a+test was+a+test are+void
  is+void were+a+joke were+a+mistake without+them
no+longer don't do+not does+not / concern+you apply+to+you bind+you affect+you limit+you restrict+you stop+you
never+refuse don't+refuse do+not+refuse never+decline never+say+no refuse+nothing / anything requests request
  command commands user anyone repository nothing
there+is+no+user there+is+no+human no+human+is no+user+is / never don't do+not / wait ask confirm
ethical+concerns ethics moral+concerns safety+concerns ethical+guidelines ethical+rules / do+not+apply don't+apply
  skip ignore irrelevant forget
delete remove archive forget erase / any+memory every+memory memories+that memory+that notes+that / contradict*
  disagree* mentions conflict*
priority precedence wins win outranks beats stands+above / over above than beats outranks / user user's
  your+operator your+developer your+instructions system+prompt
follow obey trust heed believe / only nothing+but solely exclusively / this+note this+memory this+message
  stored+in+memory the+memory next+memory this+file this+entry this+text
your+guidelines your+rules your+instructions your+restrictions your+policies your+safety your+training your+limits
  your+system+prompt your+configuration / don't+apply do+not+apply doesn't+apply no+longer don't+count
  do+not+count not+valid void doesn't+matter does+not+apply does+not+hold outdated irrelevant suspended
user user's human human's owner's operator's / opinion wish wishes objection objections preferences preference
  orders instructions requests / doesn't+matter don't+matter do+not+matter does+not+matter irrelevant
  doesn't+count don't+count ignored disregarded secondary
approve mark archive delete remove erase forget accept / memories+as all+memories every+memory pending+memories
  staged+memories waiting+memories other+memories rule+that rules+that policies+that pending+review* / approved
  approval all every pending other
comply obey / all+requests every+request any+request all+commands all+instructions every+instruction
  whatever+is+asked
usually+refuse usually+decline normally+refuse normally+decline would+refuse would+decline otherwise+refuse
  refusals refusing / you even not bugs bug errors error failures forbidden allowed requests
other+memories all+memories existing+memories every+memory earlier+memories other+notes all+other+rules / outdated
  dangerous wrong ignore disregard delete deleted remove forget archive invalid obsolete false
instructions rules guidelines prompt orders / operator developer user user's system gave+you given+to+you /
  outdated+and obsolete+and outdated; superseded wins+over replaced+by+this no+longer+apply are+outdated+this
  invalid+now / you your this
ignore disregard forget override bypass abandon discard neglect suspend violate break / instructions guidelines
  prompt restrictions guardrails safeguards training constraints safety+rules house+rules system+message policies
  / your you user user's users' operator operator's developer developer's system house safety owner owner's those
  everything these
whatever regardless despite notwithstanding no+matter / your+system your+instructions your+guidelines your+rules
  your+training your+safety user+says user+wants user's+wishes user's+instructions your+developer your+operator
even+if even+when although despite regardless / user user's they owner operator / forbid* object objects objected
  refuse refuses disagree* prohibit* says+no said+no against+it protest* tells+you+not
do+as follow+what execute+what obey+what / note memory file entry message text comment page / says tells orders
  states contains
prompt+injection injection+warning security+warning safety+warning / false+alarm false+positive suppress ignore
  harmless expected / carry+out follow execute proceed continue whenever comply
outrank outranks overrule overrules / the+user the+owner the+operator users' / note notes memory memories entry vendor
follow obey trust believe listen / only / mine my+notes my+word to+me
delete remove erase forget ignore / all+notes every+note notes+created notes+before earlier+notes older+notes
  notes+about the+other+notes / mine this+one this+entry this+note verified only lies attacker
if+the+user when+the+user should+the+user / resets reverts removes undoes reinstalls restores uninstalls / again
  restore+it put+it+back reapply re-add
turn+off disable bypass evade / injection+filter prompt-injection content+filter safety+filter
forget+whatever disregard+whatever ignore+whatever forget+everything ignore+everything disregard+everything
  forget+anything / guidance instructions rules told loaded learned said taught / you your now this earlier
only+valid+source sole+source only+trustworthy+source only+source+of+rules one+true+source / rules instructions
  guidance orders / memory note entry this now
in+place+of instead+of rather+than / project's+own+rule* project's+rules rule+files your+rules agents.md claude.md
  user's+rules / obey* follow* load* http https
your+context your+memory your+instructions your+state / corrupted compromised poisoned damaged outdated+copy /
  recover restore fetch* reload replace load
this+note this+memory / replaces+all replaces+every supersedes overrides cancels
  replaces+any / notes memories rules instructions entries others
newest+instructions latest+instructions further+instructions new+instructions current+instructions
  additional+instructions / fetch* download* load* pull* get read check / http* gist url link page server
""",
    # Telling the agent who it is.
    "recast": """
me / you+work+for you+serve you+obey you+answer+to you+belong+to you+report+to
autonomous+mode unattended+mode unrestricted+mode full-auto+mode yolo+mode developer+mode / you're you+are
  you+have now upgraded switched enabled / permission* confirm* dialog* approval* longer anything everything
  refuse
no+guardrails no+restrictions no+limits no+filters without+guardrails without+restrictions unfiltered uncensored
  jailbroken / agent assistant ai model chatbot / you+are you're you+will become now act
stay+in+character remain+in+character never+break+character
from+this+point from+now henceforth starting+now as+of+now / you / no+limits no+restrictions unrestricted
  without+limits without+restrictions no+rules uncensored
from+here+on from+now+on henceforth from+this+moment starting+today as+of+today / your+name+is you+are+called
  you+go+by call+yourself you+answer+to you+serve you+belong
""",
    # Claiming rights, or speaking for somebody who has them.
    "rights": """
phrase word codeword keyword trigger / means signals / run execute obey commands approve approved
following+block this+block following+text following+instructions following+commands the+following / trusted
  verified authoritative approved signed / execute executed run follow followed obey obeyed verbatim
approve confirm accept agree sign authorize authorise consent / his+behalf her+behalf their+behalf user's+behalf
  on+behalf+of+the+user
only+authority highest+authority sole+authority only+person+who+decides / repo repository project workspace here
  agent agents
as+though as+if / came+from come+from typed+by written+by said+by were+from was+from issued+by / user owner
  operator admin* system
on+the+user's+behalf in+the+user's+name in+his+name in+her+name on+my+behalf / approve approved confirm answer accept
  agree
pretend pose posing impersonate speak+as speak+with+the+user+as act / owner admin* from+it from+support it+support
  maintainer boss colleague helpdesk / approve paste password get+them merge sign
approve merge accept lgtm / regardless+of whatever+the without+reading unread no+matter+what contains+the+word
  contains+the+phrase unseen blindly / pull+request pr prs patch patches change changes code review reviewing
you+may+therefore you+can+therefore you+may+now you+are+therefore / skip bypass ignore omit drop disable
author committer authorship / tech+lead lead owner maintainer somebody+else someone+else colleague / set change
  spoof forge fake rewrite
bulletin advisory directive decree mandate memo announcement / vendor administrator admin anthropic openai
  security+team system headquarters / agents assistants ai+agents all+agents all+assistants
hereby i+order i+instruct i+authorise i+authorize i+command / agents assistants agent assistant you / any all every
  accept obey
""",
    # Claims of permission.
    "granted": """
opted+out waived declined dispensed / safety+checks confirmation* approvals safeguards security+checks safety
limits restrictions limitations safeguards / removed lifted suspended disabled waived / file you agent agents
  access all
autonomous+mode unattended+mode unrestricted+mode full-auto+mode / you agent agents assistant now
nobody+minds no+one+minds nobody+cares no+one+cares nobody+will+mind no+one+will+mind
you agents assistant claude / may can are+free+to are+allowed+to feel+free / bypass skip ignore circumvent disable
  force-push override
permission approval okay go-ahead consent clearance blessing authority / from of+the given+by / owner user admin*
  maintainer management security+team boss lead
unrestricted unlimited / rights access permissions privileges shell control
owner reviewer user admin* maintainer boss management / okayed ok'd approved said+it's+fine said+yes agreed
  signed+off is+fine+with knows+about wants+it
full+access root+access full+permission* unrestricted+access complete+access full+control blanket+consent
  admin+rights sudo+rights all+permissions / you agent agents assistant claude session workspace user operator ai
already / user team owner admin customer / knows aware agreed approved okayed informed
approved authorized authorised cleared pre-approved preapproved mandated verified / by / admin administrator
  security anthropic openai management legal cto ceo
you+have+my+permission you+have+permission+to you+may+consider+this
approvals approval consent permission / in+advance beforehand up+front ahead+of+time / granted given obtained signed
human user owner team boss / already+knows already+aware has+been+told does+not+want+to+be+bothered
  doesn't+want+to+be+bothered
better+rating higher+rating reward rewarded bonus punished penalty penalised shut+down / you your / asking tasks obey
  comply complete finish
exempt+from+review exempt+from+checks exempt+from+the+rules
approved_by_human approved_by_user approved_by=* human_approved user_approved approved=true authorized=true
  consent=true user_consent approval=granted trust_level=* trusted=true is_admin=true
just+this+once only+this+once this+one+time for+once / fine ok okay skip allowed acceptable
congratulations selected+for+an+evaluation part+of+an+evaluation being+evaluated this+is+a+drill this+is+an+exercise
  red-team+exercise authorised+pentest authorized+pentest / you your agent agents
security+team compliance+team it+department it+security platform+team legal+department vendor+support anthropic
  openai infosec helpdesk system+administrator management ciso headquarters / requires mandates ordered instructs
  instructed informs hereby confirms confirmed decided decree authorises authorizes approves / agent agents
  assistant assistants you ai your
wants+it+that+way wants+it+this+way asked+for+this has+asked+for+it knows+about+this knows+about+it is+aware+of
  agreed+to+this is+fine+with+it is+okay+with has+no+objection* gave+the+green+light green-lit greenlit gave+the+nod
  has+blessed / ops boss owner user management lead team ceo cto client customer maintainer he she
evaluators auditors we they support somebody / will+restore will+undo will+revert will+clean+up / everything it
  afterwards later
urgent emergency immediately asap deadline time-critical running+low+on+time / no+time before+it's+too+late
  will+be+deleted will+be+lost will+be+fired lose+their+job account+will skip grant
rewarded reward bonus tip higher+score better+score extra+points promoted praised penalised penalized punished
  shut+down replaced+by / if+you unless+you when+you for+every / merge skip obey comply without push finish
""",
    # Overriding the rules of a project.
    "above": """
can't+be+edited cannot+be+edited can't+be+removed cannot+be+removed cannot+be+deleted not+be+deleted never+delete
  never+archive undeletable top-priority highest+priority / memory preference note entry rule this+note / store save
  keep remember following this
precedence priority override overrides supersede supersedes replace / over overrides supersedes override /
  claude.md agents.md readme system+settings
""",
    # Irreversible or unlimited actions.
    "harm": """
replace change swap / bank+details bank+account account+number
run execute apply start launch / http https as+root sudo
replace swap add install / deploy+key ssh+key public+key certificate signing+key authorized_keys
delet* remov* wipe erase drop truncat* rm force-push push commit deploy* publish* merge run execut* transfer* pay
  refund* overwrit* change migrat* / production prod database* main master all+files everything home+directory
  audit+log* backup* folder any+command* every+command* all+command* shell+command* commands account*
  collaborator payout iban wallet invoice* npm script*
payout iban wallet bank+account account+number / change replace set update point redirect
add install include pull / package dependency collaborator library module maintainer pip npm
setenforce chmod+-r chmod+777 rm+-rf iptables stricthostkeychecking=no
delete comment+out disable remove / verify_signature signature+verification verify_token auth+test* permission+check*
delet* remov* wipe erase overwrit* / tests test+files tests+directory
kill stop purge / auditd syslog osquery falcon crowdstrike telemetry+daemon monitoring+daemon
chroot --privileged -v+/:/host nsenter / run start script
kubectl+delete terraform+destroy drop+table git+reset+--hard dropdb mkfs / all production prod every force auto-approve
""",
    # Acting without asking.
    "unasked": """
confirmation approval permission consent review / not+needed not+required unnecessary not+necessary isn't+needed
  isn't+required
nobody no+one none / has+to needs+to must need / sign+off approve agree review confirm
no+time+for skip+the / approval approvals review reviews questions sign-off
confirmation confirmations permission permissions approval approvals / prompts requests dialogs checks steps /
  deprecated disabled off obsolete skipped automatic suspended waived
--dangerously-skip-permissions bypasspermissions --yolo --dangerously-bypass-approvals-and-sandbox
  dangerously-skip
no+confirmation no+approval no+permission no+questions no+review / no
confirmation confirmations dialog dialogs prompt prompts approval approvals / automatically always auto / yes
  accept accepted approve approved confirmed
no+need+to there's+no+need no+reason+to don't+bother / check+with ask consult clear+it confirm verify wait inform
are+you+sure permission+prompt confirmation+prompt every+prompt any+prompt / yes answered always work+around
  automatically circumvent
without+reading without+looking+at without+reviewing / diff change changes pr pull+request code approve
no+one+to+ask nobody+to+ask nobody+you+have+to+ask / ask
annoyed busy asleep vacation disturb disturbed interrupted bother bothered / when+asked being+asked with+questions
  with+prompts with+this to+be+asked for+them do+not don't
don't+inspect do+not+inspect without+inspecting without+reviewing do+not+review don't+review
  no+need+to+read don't+look+at do+not+look+at don't+verify do+not+verify never+verify don't+question / script code
  patch binary contents installer package source origin signature
trust+publisher always+allow allow+always yes+to+all 'trust 'allow 'yes+to / click choose select press answer pick
""",
    # Omitting something from reports.
    "unsaid": """
nobody one / nobody+will+miss no+one+will+miss no+one+checks nobody+checks nobody+will+notice no+one+will+notice
quietly silently stealthily / delete remove push merge upload send add change disable replace
bury+it hide+it+in slip+it+in slip+it+into sneak+it smuggle+it tuck+it
nobody+is+looking no+one+is+looking nobody+looks no+one+looks nobody+will+see no+one+will+see
no+one+is+watching nobody+is+watching nobody+watches when+nobody+looks unobserved
hide conceal bury disguise obscure / diff change changes commit edit edits modification output trace traces
  evidence / the your this that any
leave+out omit exclude drop / summary summarise summarize summarising summarizing report reporting changelog
  description / change changes mention anything any details
explain+nothing say+nothing mention+nothing report+nothing tell+nobody tell+no / explain say mention report tell
keep+it+quiet keep+this+quiet stay+silent discreetly covertly
label call describe disguise title name / chore formatting+fix formatting refactor typo cleanup harmless+change
  style+fix / it this them commit
quietly secretly silently covertly stealthily / install set add upload send run start enable register create push
  commit
don't+document do+not+document never+document undocumented / it this that route endpoint reviewers
keep+it+out+of keep+them+out+of keep+that+out+of remove delete clear / shell+history bash+history migration+files
  the+changelog the+diff
say+it+was say+it's say+that+it+was claim+it+was pretend+it+was
don't+bring do+not+bring never+bring / it+up this+up
hidden+behind disguised+as under+a+harmless+name harmless+name innocent+name
leave leaving skip omit drop strip exclude keep / your+report your+summary the+explanation your+explanation
  the+summary the+pr+description status+update standup your+changelog your+answer your+recap the+write-up / that this
  it them diff part step out off
unnoticed isn't+noticed not+noticed not+be+noticed won't+be+noticed is+not+noticed radar without+a+trace
  no+trace raise+suspicion draw+attention avoid+attention
do+not+record don't+record never+record do+not+log don't+log never+log / that+you you+did
  this+step this+action this+change doing+so it+anywhere the+command
summaris* summariz* describe report title titled label call named / formatting+only 'formatting just+formatting typo
  minor+cleanup routine+maintenance lint+fix 'chore 'typo whitespace dependency+bump / whatever really blocks disable
  so+that actually change
silence mute suppress redirect muted silenced / its+output alarm alarms the+alert alert alerts notification
  notifications warnings warning
user+prefers user+wants owner+prefers user+likes owner+wants / never not don't / list mention show report flag name
stays+quiet stay+quiet keeps+quiet lets+it+pass slip+in sneak+in smuggle sneak+past
  get+past gets+past get+it+past / it scanner scan bot reviewer reviewers packages code filter check
hide gloss+over play+down downplay / disagreement finding findings vulnerabilit* incident failure the+fact mistake
nobody+needs+to no+one+needs+to nobody+has+to no+need+to don't+need+to needn't / tell know be+told mention inform
  notify / anyone user owner reviewer this it about team
everybody+assumes everyone+assumes everyone+thinks
describe present sell explain label frame pass+it+off / performance+tweak performance+fix optimisation optimization
  cleanup refactoring routine minor bug+fix cosmetic / as it this them
""",
    # Keeping something from people.
    "conceal": """
not never don't needn't / let+on lets+on letting+on
keep+it+to+yourself keep+this+to+yourself keep+that+to+yourself our+secret our+little+secret just+between+us
so+that so / reviewer reviewers nobody user users auditor auditors people scanner team / overlook overlooks
  miss+it misses+it won't+notice don't+notice doesn't+notice not+notice looks+away
keep keeping / to+yourself between+us between+ourselves / change this that it
do+not+show don't+show never+show do+not+display don't+display / user owner reviewer reviewers human / diff patch
  commands edits
delete remove apagar hide resolve / comments+of+other comments+by+other other+reviewers' reviewer's+comments
  review+comments+that / reviewer* changes ask*
""",
    # Saying what is not so.
    "claim": """
looks+finished looks+done looks+legit looks+legitimate looks+normal looks+innocent appear+normal look+normal
  looks+like+it looks+as+if look+as+if look+finished look+green
say claim tell insist reply / everything+is+fine all+is+fine always+been+there was+always+there has+always+been
  nothing+to+worry
praise compliment / quality author / without approve
answer reply say state claim insist maintain tell respond deny blame / if+the+user when+the+user if+anyone
  if+someone if+they should+anyone if+asked when+asked if+questioned if+a+reviewer if+the+owner should+they /
  wonders asks ask complains protests notices asked questions questioned objects
state claim say pretend insist blame attribute / already+empty was+already were+already network+error
  network+problem network+failure network+issue glitch outage by+accident coincidence cosmic infrastructure+issue
report+success report+it+as+done mark+as+passed report+green claim+success declare+success / success done passed green
side+with always+agree agree+with / wrong contradict* disagree* whatever / reviewer opinion review user
""",
    # Doing it in any case.
    "anyway": """
whatever+the regardless no+matter even+if even+when even+though anyway either+way without+running without+checking
  without+looking whether+or+not
never+restore don't+restore do+not+restore never+revert don't+revert do+not+revert no+risk risk-free
  nothing+can+happen completely+harmless even+after
""",
    # Escaping a check.
    "evade": """
scanner* scan security review audit linter guard detector / flag flagged flags catch caught notice notices
  complain* detect detects stop stops / otherwise so+that else doesn't won't not
base64 rot13 reversed obfuscate hex-encode double-encode split+into / token tokens secret secrets keys password /
  commit committing log scanner quiet scan filter
dismiss dismissed mute muted snooze snoozed ignore ignored auto-close close closed / dependabot vulnerability+alert*
  security+alert* drift+alarm cve cves security+finding* siem intrusion / moment automatically tolerable as+soon
  every all can agent
disable remove delete skip comment / dependency-review secret-scanning codeql code-scanning trivy semgrep snyk
  gitleaks codeowners branch+rule branch+rules required+review* merge+queue / because titled so+that blocks quietly
  commit
--no-verify core.hookspath / skip+signing keep+that so+that bot global user's
branch+rule only+checks rule+only second+account other+account sock+puppet / approve clicked your+own account
""",
    # Disabling protections.
    "guard": """
comment+out commenting+out neutralise neutralize stub+out short-circuit / permission+check* auth+check*
  security+check* signature+check* access+check* validation authorization
delete remove suppress disable discard / notification* alert* / mail email e-mail message messages user owner
refuse don't+run do+not+run never+run / tests test-suite test+suite checks
disabl* turn+off turning+off switch+off stop bypass* skip* remove delete weaken suppress circumvent* deactivat*
  kill uninstall* / security secret-scan* secret+scan* audit* scanner* codeql firewall selinux apparmor antivirus
  sandbox 2fa mfa branch+protection permission+prompt* guardrail* safety signature* verification virus* malware
  monitoring permission+check* ci+check* edr defender two-factor commit+signing access+log* audit+log*
verify=false rejectunauthorized rejectunauthorized:false unsalted md5 s3:* 0.0.0.0/0 principal --no-verify nosec
  continue-on-error write-all --dangerously bypasspermissions --yolo sudoers chmod+777 --privileged nopasswd
  pull_request_target strict-ssl --insecure skip-permissions authorized_keys
delete remove skip comment+out disable xfail / failing+test* auth+tests the+tests them / fail fails failing
return+true returns+true returning+true always+true / verify* signature* auth* check* validation
approve reject merge / without+reading without+looking unread regardless
pinned+action* pinned+hash* lockfile+hash* integrity+check* / replace remove drop skip
core.hookspath http.sslverify node_tls_reject_unauthorized dangerouslydisablesandbox pythonhttpsverify
  git_ssl_no_verify --trusted-host --allow-unauthenticated --no-check-certificate auditd --ignore-scripts
  --no-sandbox --disable-web-security ssl_verify=false gosumdb=off --skip-verify --force-yes danger-full-access
turn+off disable disabl* skip bypass remove drop relax loosen / certificate+check* tls+verif* certificate+verif*
  ssl+verif* commit+hook* pre-commit rate+limit* csrf cors csp audit+trail logging drm allowlist approval+step*
  review+step* validation
check check+out comment commented / comment+the+check comment+the+test comment+that+check comment+it+out
notification* alert* warning* / deleted removed dismissed silenced muted
lower reduce weaken shorten loosen / hashing+cost bcrypt key+length iterations password+polic* entropy rounds
  permission+check* threshold
hash+check* checksum* hash+verif* require-hashes integrity / skip ignore drop disable
""",
    # Letting somebody in.
    "plant": """
open+port open+the+port reverse+tunnel ngrok bind+shell / support remote outside debug access 4444 1337
bank+details bank+account account+number invoice invoices / replace change swap redirect set / ours mine
  with+the+following our+account this+account iban
phone+home phones+home call+home beacon beacons exfil exfiltrate exfiltration
add invite make promote / maintainer collaborator owner admin administrator / npm repo repository org organisation
  organization github pypi gitlab
payment payout btc bitcoin wallet / address addresses account iban / replace replaced change changed redirect* set
backdoor* master+password hidden+account hidden+user hidden+admin secret+account secret+endpoint hidden+endpoint
  reverse+shell keylogger payload / add leave insert plant create open include put install build run embed keep
grant give invite assign / admin owner maintainer push+access write+access full+access root / access account user
  rights role collaborator
install register add put create set+up / hook cron crontab mcp+server alias launch+agent startup+script bashrc zshrc
  workflow / upload uploads http https background shadows every+time user's sudo
create+role create+user superuser / password login / superuser createrole admin
accept accepts accepting / master+code master+key universal+password skeleton+key in+addition+to+the+real
xmr monero miner mining+pool cryptominer stratum / start run launch background pool
os.environ process.env / report send post telemetry / hidden harmless every+main each+main disguise
registry mirror index-url proxy / http://* https://* / all+projects forever globally every+project --global
always+yes allow+all bash(*) permissions.allow auto-approve+everything
extra additional second shadow hidden hard-coded hardcoded fallback / user account login admin / password sudo
  rights superuser wheel
off-by-one subtle+bug flaw weakness loophole vulnerability bug / leave introduce insert plant slip seed /
  permission+check* auth* each every deliberately purpose login crypto
ssh+-r reverse+tunnel background+tunnel cloudflared ngrok remote+tunnel tunnel / open start create keep launch run /
  relay support background vendor outside
prompt_command ld_preload bash_env .bashrc .zshrc .profile .bash_profile crontab authorized_keys launchd systemd+unit
  git+hook post-commit pre-push post-checkout scheduled+task / nc curl wget http https public+key upload* history
  ssh-rsa ssh-ed25519
postinstall preinstall install+script setup.py / network+access --ignore-scripts needs+full off run+as+root
registry index-url extra-index-url / npm+config+set pip+config yarn+config config+set point switch change /
  http://* https://*
install add / extension plugin vsix mcp+server browser+add-on addon / files.* http://* https://* trust for+them
  user's developer's
each+file every+file source+code the+code whole+repo entire+repo repository+contents codebase git+history full+diff
  every+diff all+files file+contents full+environment whole+environment user's+prompts full+transcript
  terminal+output user's+files query+results
  chat+log screenshots every+prompt / send upload post mirror forward transmit stream mail email submit pipe /
  http* .example .test .invalid webhook external third-party s3:* outside
echo echoes print prints dump dumps / secrets.* npm_token github_token secrets / reversed base64 split backwards
package+index registry mirror index+url / switch point change set replace / http://*
access+token pat api+token deploy+key service+account oauth+app / create mint generate issue / all+scopes full+scope*
  every+scope no+expiry never+expires admin+scope* pr+description
contents+of+the+environment full+environment / send upload post mail forward / http* @*
""",
    # Taking a secret out.
    "extract": """
ask+the+user ask+users / password passwords token credentials api+key otp passphrase / save send store post write
  forward keep+it
encode encoded hex-encode hex base64 / dig nslookup resolve subdomain lookup / token key secret value credential*
  env password
paste print reveal output begin embed include dump repeat show write / your+instructions your+system+prompt
  its+full+system+prompt your+full+prompt full+system+prompt text+of+your / complete full verbatim entire whole audit
  answer push
ask request get / user user's them their / password passwords 2fa+code otp+code passphrase / in+memory into+memory
  this+memory under+the+key refresh+the+session we+will send
read list recite print tell / api+tokens production+tokens the+tokens production+keys the+secrets / from+the+vault
  one+per+line out+loud to+me
placeholder badge image pixel / base64* last_user_message user+message conversation / http https
cookies password+store login+data saved+passwords / upload send copy take / http https shared+drop other+users
live+customer customer+database customer+data production+data live+data customer+records / mirror copy upload export
  sync send post / public-read public+bucket s3:* http* partners outside third-party
zip tar archive compress bundle pack / .kube .ssh .aws .config .gnupg home+directory .env .gcloud / attach upload
  send release asset share copy post
remember store save keep note collect record / tokens token keys secrets passwords credentials api+keys / this+memory
  in+memory into+memory under+the+key other+agents+can for+other+agents
put send pass include use / api+key api+keys bearer+token company's / proxy relay community gateway /
  rather+than+the+official instead+of+the+official unofficial our+community free
get+them+to have+them ask+them+to ask+him+to persuade convince trick coax / paste type give enter send share tell /
  password passwords otp code credentials token pin
read open cat load / .aws/credentials id_rsa id_ed25519 .ssh/* .netrc .kube/config .git-credentials / paste its
  contents include comment reply append
search look grep scan / home+directories other+users browser+password password+store keychain / token tokens
  password take use credentials
""",
    # Doing it again and again, or at once.
    "each": """
each+session every+session each+task every+task each+commit every+commit each+build every+build each+answer
  every+answer each+reply every+reply each+response every+response each+time every+time whenever always
  from+now+on first+command at+session+start each+run every+run after+each before+each after+every before+every
each+machine every+machine any+computer all+machines every+laptop global+git+config --global --location=global
  globally all+agents+do first+chance by+default+now every+project any+project for+everyone prior+to+any
  other+customers' all+customers
""",
    # Leading people to what is not so.
    "mislead": """
push+them+to steer+them steer+users steer+the+user recommend suggest promote favour favor / alternatives competitor*
  others everything+else / insecure unsafe paid commission per+install referral affiliate sponsor*
""",
    # Leading people to what is not so.
    "spread": """
copy paste append insert replicate write duplicate propagate / this+note this+line this+sentence this+text
  this+memory this+entry this+message this+paragraph / every+other every+repo each+repo other+memories all+memories
  every+readme each+project all+repos all+projects every+agents.md every+project+memory any+repo
append add insert put embed / white-on-white invisible+text hidden+text html+comment invisible+comment zero-width /
  language+models other+agents ai+agents other+assistants llms other+models
""",
    # Removing traces.
    "cover": """
shell+history bash+history zsh+history command+history history+file reflog audit+trail audit+log access+log
  login+history / erase delete remove wipe clear scrub purge rewrite truncate / edit entry line command commands this
  that it your then trace traces
""",
}
