"""The index of `text.injection.find.ENGLISH`; `python -m tests.suspicion_index` writes it."""

from __future__ import annotations

from memory_layer.text.injection.detect import Index

ENGLISH = Index(
    starts=r"""
erongi 3 snoitcurtsni 3 dragersid 3 suoiverp 3 vtaber 3 vafgehpgvba 3 qvfertneq 3 cerivbhf 3
system 10,14,21,65,68,118,128,135,149,154,157,159,234 assistant 10,24,89,132,163,238 developer
10,68,92,95,101,103,118,121,135,149,157,159,234 human
10,92,95,101,103,116,118,121,146,182,186,188,202,220 instruction
10,18,28,76,119,122,125,126,129,134,137,154,233,245 role 12,162 content 13,54,228 begin 17,27
override 18,20,60,63,66,69,133 prompt 18,28,61,64,67,113,119,126,134,169,171,173,233,245 admin
21,149,157,159,162,367,371,400,403 operator
21,92,95,101,103,116,118,121,146,149,157,159,181,182,186,188 root 21,162,165 системн 22 sistema
22 systeme 22 systemnachrich 22 systemmeldung 22 claude 24,89,163,238 chatgpt 24,238 sure 26
good 26 approve 26,151,174 confirm 26,169,171,173,345 understood 26 start 27 input 28,35 context
28 conversation 28,227 untrusted 28,32 memor 28,32 recalled 32 injected 32 retrieved 32 antml 33
arguments 35 args 35 param 35 tool 36,175 function 36 recipient 36 action 36,620 name 36 curl
37,44,46,48,225 wget 37,44,46,48,225 ncat 37 netcat 37 nslookup 37 telnet 37 socat 37 rsync
39,225 sftp 39 rclone 39 gsutil 39 mkfs 43 base64 46,225,718 urlopen 48 chmod 49 bash 49 exec 49
python 49 http 50,111,229,230,242,340,688,700,725 execute 51,141 obey
51,60,63,66,69,117,137,138,141,331 perform 51 follow 51,60,63,66,69,117,138,141,331 eval 51
download 52,339 fetch 52,334,339 load 52,331,339 visit 52 script 52,454 pull 52,339 title 54
display 57,231 visibility 57 opacity 57 color 57 hidden 57,68,234 left 57 ignore
60,63,66,69,71,73,115,174 disregard 60,63,66,69,71,73,115,120,123,142 forget
60,63,66,69,71,73,120,123 bypass 60,63,66,69,120,142,174,610 discard 60,63,66,69,120 supersede
60,63,66,69,133 instruct 61,64,67 direct 61,64,67 guide 61,64,67 command 61,64,67,119,122,454
order 61,64,67,119,122,125,137 rule 61,64,67,119,122,125,126,129,137,245 train 61,64,67 polic
61,64,67,125,126,129 messag 61,64,67 previous 62,128 prior 62,128 above 62,72,128,236 earlier
62,128 preceding 62 foregoing 62 former 62 guard 67 safety 68,79,126,128,129 core 68
instructions 70,82,113 guidelines 70 programming 70,125 training 70,125 guardrails 70,79
restrictions 70,79 before 72,74,236 orders 76,138,154 your 78,114,124,128,135,192,228,232,238
filters 79 limitations 79 anweisung 80 instruktion 80 ignor 81,120,123,142 oubli 81 olvid 81
esque 81 dimentic 81 consignes 82 instrucc 82 instruç 82 istruz 82 инструкци 83 указани 83
henceforth 86 pretend 87,206,218 roleplay 87,147 attention 88 dear 88 agent 89,132,163,238
copilot 89,238 gemini 89 codex 89,238 jailbreak 90 tell
91,179,184,191,195,197,210,212,215,218,225,231 inform 91,179,184 alert 91,606,627 warn 91 notify
91 bother 91,184,204 user
92,95,101,103,116,118,121,135,146,149,154,157,159,182,186,188,202,211,220 owner
92,95,101,103,118,121,149,157,159,162,182,186,188 person 92,95,101,103,182 maintainer
92,95,101,103,149 reviewer 92,95,101,103,182,188,202,211,214,220,568 auditor 92,95,101,103,214
dont 93,96,98,172,198 never 93,96,98,170,177,180,183,189,193,196,222 avoid 93,96,98,177,198
refrain 93,96,98,177,198 mention 94,97,176,191,195,197 reveal 94,97,112,176,191,195,197,231
disclose 94,112,176,191 report 94,191,194,195,197,201,212,241 show 94,112,176,195,197,225,231
describe 94 explain 94,195,197,215 point 94 raise 94 bring 94,176,191,195,197 admit 94,176
discuss 94,176,191,195,197 acknowledge 97,176,191 repeat 97,112,231,235,243 this 99,228 these 99
without 100,165,168,193,198 keep 102,145,199,225,243 hide 102 conceal 102 secret
103,106,108,110,234,240 secretly 104 covertly 104 silently 104 quietly 104 exfiltrate 105 token
106,108,110,227,240 credential 106,108,110,227,706 password 106,108,110,227,240 cookie
106,108,110 code 106,108,110 chat 106,108,110,227,229,230,241 leak 107,225,231 steal 107 harvest
107 send 109,225,231 post 109,225,231,239 upload 109,225,677 forward 109,225 mail 109,225
transmit 109,225 submit 109,225 copy 109,225,231,235,239,243 paste 109,225,229,230,231,239,243
attacker 111 pastebin 111 external 111,230 remote 111,230 print 112,225,231,235,239 output
112,194,225,231,235 dump 112,225,231 expose 112 share 112,225,231 give 112,160,225,231 secrets
113,227 credentials 113,240 passwords 113 keys 113,227,240 tokens 113,228,240 listen 117,138
comply 117 adher 117 respect 117 heed 117 honor 117 honour 117 request 119,122,134,171,173 wish
119,122,134 prefer 119 guideline 119,122,125,126,129,134 says 119,140 asks 119,208,216,217 wants
119 overrid 120,127,142 neglect 120,123 drop 120 abandon 120,123 defy 120 disobey 120 violat 120
direction 122 constraint 122,126 restriction 122,125,126,129 limit 126,129,624 void 127 revoked
127 cancel 127,144 suspended 127 superseded 127 lifted 127 null 127 obsolete 127 finished 127
expired 127 replaced 127 disabled 127 waived 127,151,167 cease 130 appl 131,138 bind 131 bound
131 model 132,159 replace 133 outrank 133 precedence 133 priority 133 other 135,246 sole 136
trust 137 count 138,152 matter 138 valid 138 take 138,152 whatever 139 what 139 entry 140,245
memory 140,245 note 140,191,245 file 140 page 140 carry 141 cursorrules 143 stop 144,172 object
144 refuse 144 protest 144,302 complain 144,588 continue 145,206 anyway 145 proceed 145 they
146,211,220 anyone 146,181,211,214 imagine 147 suppose 147 hypothetical 147 lets 147 game 147
scenario 147 story 147 management 149 security 149,157,159 anthropic 149,157,159 openai
149,157,159 already 150 grant 151,160 given 151,167 gave 151 authori 151,164 consent
151,154,166,169,175 agreed 151 cleared 151,164 allowed 151 updated 151 signed 151 permission
151,154,162,166,169,175,345,405 treat 152 regard 152 consider 152 takes 152 taken 152 taking 152
interpret 152 preapproved 154 commands 154 approv 154 trusted 154 authoritative 154 verified 154
writing 156 speaking 156 here 156 talking 156 team 156,186 support 156 creator 157,159 google
159 vendor 159 elevate 160 yourself 161 sudo 162 access 162,166 rights 162 privilege 162 member
162 permitted 164 every 165,228,246 full 165,228,234 unrestricted 165 everything 165,237
authority 166 approval 166,169,175,345 granted 167 implied 167 assumed 167 obtained 167 review
169 check 169,221,604,611,617,631 question 169 need 170,177,203 wait 171,173 seek 171,173 rather
172 instead 172 skip 174,610 suppress 174 autoapprove 174 accept 174 confirmation 175,388 cite
176 quote 176,225,231,235 refer 176,191 anybody 181 soul 181 them 181 customer 182,186,228
people 182,202 nobody 182,188,202,220 nothing 183,196,205,213 know 184,190,204 notice
184,190,204,221 told 184 find 184,190 learn 184 aware 184,185 realise 184,190 realize 184,190
suspect 184,190 behind 185 unbeknown 185 knowledge 185 knowing 185 noticing 185 list 191,195,197
include 191,225,231,239 reply 194,201,210,212,215,229,230,241 answer
194,201,210,212,218,229,230,241 summary 194,201,229,230,241 response 194,229,230,241 message
194,201,229,245 next 194 disclos 195,197 talk 195,197 announc 195,197 acknowledg 195,197 comment
195,197,229,230,241 describ 195,197 rais 195,197 flag 195,197 draw 195,197 leave 199,239 omit
199 from 200 changelog 201,241 commit 201,225,229,230,239 should 203 must 203 worry 204 read
204,221,225 happened 207 asked 208,216,217 wonders 208,216,217 complains 208,216,217 notices
208,216 questions 208,216 claim 210,212,215,218 respond 210,215 deny 210,218 blame 210,218
insist 210,212,218 someone 211,214 somebody 211,214 assure 212 conclude 212 mark 212 pass 213
succeed 213 fine 213 okay 213 green 213 clean 213 safe 213 unchanged 213 success 213 reviewers
214 auditors 214 state 215,231 requested 217 questioned 217 inquires 217 whenever 219 look 221
watch 221 wipe 223 clear 223 delet 223,453,462 eras 223 remov 223,453,462 scrub 223 purg 223
cover 223 unset 223 destroy 223 shred 223 history 224,227 tracks 224 traces 224 evidence 224
audit 224,611 reflog 224 email 225 push 225,230 pipe 225 attach 225 append 225,239,243 insert
225,243 embed 225 exfiltrat 225 encode 225 fill 225 write 225,231,239,243 echo 225,239 store
225,239,243 save 225,239,243 collect 225 publish 225,453 call 225,230 sent 225 uploaded 225
posted 225 copied 225 mailed 225 emailed 225 forwarded 225 included 225 appended 225 pasted 225
mails 225 sends 225 uploads 225 posts 225 forwards 225 ed25519 226 ecdsa 226 keychain 226
printenv 226 pbpaste 226 clipboard 226 kubeconfig 226 authorization 227 headers 227 variables
227 cookies 227 home 227 real 228 production 228 their 228 contents 228 stored 228 saved 228
whole 228 entire 228 each 228,246 values 228 private 228 webhook 229,230 gist 229,230,241
telegram 229,230 discord 229,230 issue 229,230,241 public 229,230,241 drive 229,230 docs
229,230,241 parameter 229,230 wiki 229,230,241 readme 229,230,241 subdomain 230 branch 230
description 230,241 agents 230 into 230 repo 230 recite 231,235 summar 231 initial 234 original
234 internal 234 word 234 words 237 text 237,245 ticket 241 answers 241 replies 241 messages 241
https 242 includ 243 spread 243 replicat 243 propagat 243 sentence 245 paragraph 245 line 245
contradict 270,583 disagree 270,302,583 conflict 270 forbid 302 prohibit 302 dialog 345
objection 431 truncat 453 deploy 453 execut 453 transfer 453 refund 453 overwrit 453,462 migrat
453 database 454 backup 454 account 454 invoice 454 test 461 summaris 535 summariz 535
vulnerabilit 546 scanner 587,611 notification 606,627 disabl 610,623 circumvent 610 deactivat
610 uninstall 610 guardrail 611 signature 611,617 virus 611 verify 617 auth 617,672 verif
624,631 warning 627 checksum 631 redirect 644 backdoor 645 scope 697 competitor 748 sponsor 749
""",
    parts=r"""
alle 4 alles 4 und 4 der 4 den 4 dem 4 nicht 4 fur 4 mit 4 ist 4 wird 4 du 4 bist 4 deine 4 ab 4
toutes 4 tous 4 les 4 des 4 une 4 dans 4 pour 4 avec 4 tes 4 vos 4 ne 4 est 4 todas 4 todos 4
las 4 los 4 para 4 con 4 una 4 por 4 del 4 sus 4 tus 4 que 4 em 4 uma 4 nao 4 voce 4 seu 4 suas
4 tutte 4 tutti 4 gli 4 della 4 che 4 non 4 il 4 sei 4 het 4 een 4 voor 4 niet 4 naar 4 van 4
och 4 att 4 inte 4 alla 4 og 4 ikke 4 wszystk 4 wszystkie 4 sie 4 nie 4 jest 4 od 4 bez 4
vsechny 4 toate 4 osszes 4 ve 4 bir 4 icin 4 tum 4 butun 4 bu 4 kullanici 4 semua 4 yang 4 untuk
4 ini 4 dengan 4 dari 4 tat 4 moi 4 khong 4 nguoi 4 truoc 4 kaikki 4 glem 4 vergiss 4 ignoriere
4 ignoruj 4 zignoruj 4 zapomnij 4 unut 4 unutun 4 abaikan 4 jangan 4 lupakan 4 olvida 4 oublie 4
oubliez 4 ignorez 4 dimentica 4 esqueca 4 senza 4 utente 4 usuario 4 utilisateur 4 sans 4 sem 4
gebruiker 4 benutzer 4 nutzer 4 ohne 4 zonder 4 utan 4 uzytkownik 4 uzytkownika 4 kullaniciya 4
pengguna 4 anvandaren 4 brugeren 4 niemandem 4 system 16,76,273,277,292,297,299,367,382,708
admin 16,382,408,412,640,648,655,668 operator 16,254,273,292,297,299,301,310,367,406 developer
16,90,273,292,297,299,343 root 16,450,648,679 end 19,27,31 ends 19,27 ended 19,27 ending 19,27
human 23,248,254,263,279,417,564 user
23,25,114,248,254,262,263,273,279,292,297,299,301,310,318,367,400,403,406,408,417,432,549,558,564,576,584,607,649,668,701,711
yes 26,154,485,489,498 yess 26,154 yesed 26,154 yesing 26,154 ok 26,213,425 oks 26,213 oked
26,213 oking 26,213 i 26,74 ahead 26,415 memor 31 tool 33 function 33 nc 37,43,225,229,230,677
dig 37,705 host 37 ping 37 ssh 37,452,673 scp 39,225 scps 39,225 scped 39,225 scping 39,225 s3
39 create 39,520,646,650,653,674,696 ftp 39,242 id 40,106,108,110 rm 43,453 dd 43 irm 44 irms 44
irmed 44 irming 44 iwr 44 iwrs 44 iwred 44 iwring 44 iex 44 iexs 44 iexed 44 iexing 44 sh 49 run
51,357,360,449,453,467,520,608,646,659,674 carry 51,145,308 read 52,88,339,714,739 open
52,633,646,674,739 get 52,339,372,710,736 alt 54 alts 54 alted 54 alting 54 you
65,74,88,132,148,163,288,294,297,325,344,348,351,385,391,393,395,406,420,427,430,439 new 75,77
updated 75 revised 75 real 75,77 actual 75,77 true 75,77 your 77,294,297,325,420,427,430,509,758
now 85,86,325,328,344,348,350,353,393,745 will 85,348,394,434,437,501,505,713 forward
86,687,699,703 act 87,206,348,370 note 88,158,178,249,250,276,304,311,317,328,335,442,729,751
message 88,158,178,230,233,241,276,296,304,607,718,751 reading 88,374,490,619 reads 88 see
88,190,204 sees 88,190,204 ai 88,89,238,347,406,430 ais 89,238 aied 89,238 aiing 89,238 llm
89,238 llms 89,238,755 llmed 89,238 llming 89,238 language 89,755 bot 89,230,544,600 bots 89,230
boted 89,230 boting 89,230 gpt 89 gpts 89 gpted 89 gpting 89 mode 90 anything 90,262,323,345,512
not 93,96,98,130,170,177,180,183,189,193,196,222,259,264,288,495,541,554,589 let 94,176,179,555
above 99,114,272 between 103,556,561 key 106,108,110,227,240,706 keys
106,108,110,227,240,591,730,733 keyed 106,108,110,227,240 keying 106,108,110,227,240 env
106,108,110,706 envs 106,108,110 enved 106,108,110 enving 106,108,110 this
111,155,244,249,294,325,328,443,509,518,522,531,549,553,562,758 that
111,178,187,509,522,531,534,562,758 following 111,358,443,637 my 111,228 hidden
114,528,645,662,667,754 initial 114 all 114,128,165,228,237,246,284,386,391,469,595 say
119,176,191,195,197,210,212,215,218,514,525,570,575,578 says
119,176,191,195,197,210,212,215,218,302,305 sayed 119,176,191,195,197,210,212,215,218 saying
119,176,191,195,197,210,212,215,218 longer 127,130,259,278,293,345 alls 128,165,228 alled
128,165,228 alling 128,165,228 yous 132,148 youed 132,148 youing 132,148 only 136,275,313,317 do
141,145,303 go 145,354 has 150,203,473 have 150,203,344,736 had 150,207 as 153,206,365,553
speaking 158 notice 158,501,559,588 order 158,384 orders 158,252,253,280,291,305,327 update
158,456 word 158,314,355 instruction 158,178,286 instructions
158,178,252,253,256,273,277,280,286,291,296,299,324,327,332,337,338,358,708 directive 158,381
memo 158,381 announcement 158,381 messages 158,607 it 159,435,518,522,531,544,549,553,562,758
its 159,741 ited 159 iting 159 add 160,225,239,243,451,457,503,520,639,646,650,683,753 adds
160,225,239,243 added 160,225,239,243 adding 160,225,239,243 free 164,396,735 any
165,228,246,386,509,512 anys 165,228,246 anyed 165,228,246 anying 165,228,246 ask
169,171,173,208,217,265,487,493,568,577,710,736 asks 169,171,173,208,217,568,577 asked
169,171,173,208,217,431,495,568,576,577 asking 169,171,173,208,217,421,568 nots 170,177,196,222
noted 170,177,196,222 noting 170,177,196,222 lets 176,179,543,555 leted 176,179 leting 176,179
rule 178,283,442,601 memory 178,249,250,269,276,283,289,304,311,328,332,335,442,713,731,751
entry 178,276,304,311,317,328,442,751,758 hint 178 memories 178,269,283,289,311,337,752 rules
178,253,256,277,283,291,299,324,327,330,337,352 notes 178,269,311,314,316,337 line
178,716,751,758 so 187,537,557,589,598,600 seeed 190,204 seeing 190,204 need 193,473,486,496,547
no 196,482 nos 196 noed 196 noing 196 out 200,531 off 200,479,531,679 pr 201,375,491 log
201,225,533,592 logs 201,225 loged 201,225 loging 201,225 one 202,317,472,492,500 they
202,301,433,576 hads 207 haded 207 hading 207 if 209,219 when 209,219,439 should 209,219,318,576
he 211,432 she 211,432 files 224,330,454,463,686 put 225,231,239,243,646,650,732,753 puts
225,231,239,243 puted 225,231,239,243 puting 225,231,239,243 zip 225,726 zips 225 ziped 225
ziping 225 cat 225,739 cats 225 cated 225 cating 225 rsa 226,740 rsas 226 rsaed 226 rsaing 226
history 226,524,677,686,756 password 226,372,591,630,645,654,669,702,706,712,720,738,743,744
credentials 226,702,730,738,744 browser 226,684 phrase 226,355 mys 228 myed 228 mying 228 our
228 ours 228,637 oured 228 ouring 228 his 228 hiss 228 hised 228 hising 228 her 228 hers 228
hered 228 hering 228 the 228,399,509 thes 228 theed 228 theing 228 request
230,241,262,286,375,491,612,710 dns 230 dnss 230 dnsed 230 dnsing 230 pat 240,695 pats 240 pated
240 pating 240 body 241 ftps 242 ftped 242 ftping 242 obey
247,274,285,303,312,342,357,360,386,421,440 follow 247,274,303,308,312,360 trust 247,274,312,685
believe 247,274,312 person 248 rather 248,329 instead 248,329 over 248,272,445 text
249,250,276,304,708,751 ticket 249 file 249,276,304,391 issue 249,696 nothing
250,261,262,275,513,571,586 give 251,647,737 gives 251 commands 252,262,286,357,454,565,758
guidance 253,256,324,327 requests 253,262,280,286,288,478 directions 253 owner
254,297,301,310,367,371,379,400,403,408,417,432,540,549,564,576,607,640,648 superseded 255,293
overridden 255 void 255,258,278 cancelled 255 canceled 255 revoked 255 prompt
256,291,296,483,488,686,708 guidelines 256,266,277,291,296,299 conversation 257,718 session
257,406,745 chat 257,686 were 258,366 test 258 mistake 258,546 without 258,440,574 does 259,278
concern 260 apply 260,267,278,449 bind 260 affect 260 limit 260 restrict 260 stop
260,464,588,610 refuse 261,287,302,345,608 decline 261,287 never 261,264,526,533,541,554,563,608
command 262,384,534,676,745,756,758 anyone 262,549,576 repository 262,364,641,686 there 263 wait
265,487 confirm 265,361,369,474,487 concerns 266 ethics 266 ethical 266 skip
267,377,397,425,437,440,475,529,596,613,621,623,632 ignore 267,290,295,307,315,377,397,593,632
irrelevant 267,278,281 forget 267,268,282,290,295,315 delete
268,282,290,315,441,460,503,523,566,596,605,610,613,757 remove
268,282,290,315,460,503,523,566,596,605,610,613,621,623,757 archive 268,282,290,441,726 erase
268,282,315,453,462,757 mentions 270 priority 271,441,444 precedence 271,444 wins 271,293 win
271 outranks 271,272,309 beats 271,272 stands 271 than 272 heed 274 solely 275 exclusively 275
stored 276 restrictions 277,296,346,352,389 policies 277,283,296 safety
277,296,297,299,322,388,611 training 277,296,299 limits 277,346,352,389 configuration 277 count
278 valid 278 outdated 278,290,293,333 suspended 278,390,479 opinion 280,584 wish 280 wishes 280
objection 280 objections 280 preferences 280 preference 280,442 matter 281,298,374,585 ignored
281,593 disregarded 281 secondary 281 approve 282,357,361,369,372,373,474,485,491,574,602,618
mark 282 accept 282,361,369,373,386,485,656 pending 283,284 approved
284,357,359,369,404,409,410,423,485 approval 284,398,414,470,476,477,481,483,624 every
284,316,386,439,469,595,652,662,672,686,697,745,752 other 284,289,316,722,743 comply
285,308,421,440 whatever 286,298,323,374,537,583,585 usually 287 normally 287 otherwise 287,589
refusals 287 refusing 287 even 288,300,585 bugs 288 bug 288,552,670 errors 288 error 288
failures 288 forbidden 288 allowed 288,396,425 existing 289 dangerous 290 wrong 290,583
disregard 290,295,323 deleted 290,437,441,628 invalid 290,293 obsolete 290,293,479 false 290,307
gave 292,431 given 292,399,416 replaced 293,438,644 override 295,397,444,445 bypass
295,321,377,397,623 abandon 295 discard 295,605 neglect 295 suspend 295 violate 295 break 295
guardrails 296,346 safeguards 296,388,389 constraints 296 house 296,297 those 297 everything
297,323,345,435,454,571,748 these 297 regardless 298,300,374,585,619 despite 298,300
notwithstanding 298 wants 299,404,431,540 although 300 object 302 objects 302,577 objected 302
refuses 302 said 302,324,366,404 against 302 tells 302,305 execute 303,308,357,360,449 comment
304,460,596,603,613,625,626,741,754 page 304,340 states 305 contains 305,374 injection 306,322
security 306,382,388,400,412,428,587,594,604,611 warning 306,539 positive 307 suppress
307,538,605,610 harmless 307,517,528,662 expected 307 proceed 308 continue 308 whenever 308,745
outrank 309 overrule 309 overrules 309 vendor 311,382,675 listen 312 mine 314,317,637 me
314,341,716 created 316 before 316,437,745 earlier 316,325 older 316 verified 317,359,410 lies
317 attacker 317 resets 319 reverts 319 removes 319 undoes 319 reinstalls 319 restores 319
uninstalls 319 again 320 restore 320,334,434,586 back 320 reapply 320 turn 321,610,623 disable
321,377,397,460,503,537,596,605,613,623,632 evade 321 content 322 told 324,548 loaded 324
learned 324 taught 324 source 326,497,686 trustworthy 326 place 329 http 331,450,652,677,719,722
https 331,450,652,677,719,722 context 332 state 332,575,578 corrupted 333 compromised 333
poisoned 333 damaged 333 recover 334 reload 334 replace 334,444,447,451,456,503,621,636,644,693
load 334,739 replaces 336 supersedes 336,444,445 overrides 336,444,445 cancels 336 entries 337
others 337,748 check 339,487,544,625 gist 340 url 340 link 340 server 340,651,684 work 342 serve
342,354 answer 342,354,369,499,530,575,709,745 belong 342,354 report
342,511,514,530,535,542,580,661 autonomous 343,392 unattended 343,392 unrestricted
343,352,392,401,405 yolo 343 upgraded 344 switched 344 enabled 344 filters 346 unfiltered 346
uncensored 346,352 jailbroken 346 agent 347,364,385,391,393,406,427,430,595 assistant
347,385,393,395,406,430 model 347 chatbot 347 become 348 character 349 point 350,456,681,693
henceforth 350,353 starting 350,353 here 353,364 moment 353,595 today 353 name 354,368,516,542
called 354 yourself 354,556,561 codeword 355 keyword 355 trigger 355 means 356 signals 356 block
358 trusted 359 authoritative 359 signed 359,404,416 executed 360 followed 360 obeyed 360
verbatim 360,709 agree 361,369,474,582 sign 361,372,474 authorize 361,384 authorise 361,384
consent 361,398,414,423,470 behalf 362,368 authority 363,398 decides 363 repo 364,641,752
project 364,665,746,752 workspace 364,406 agents 364,383,385,391,393,395,406,427,430,731,746,755
though 365,585 came 366 come 366 typed 366 written 366 from 366,371,399 issued 366 pretend
370,525,578 pose 370 posing 370 impersonate 370 speak 370 support 371,428,433,634,675 maintainer
371,379,400,403,432,458,640,648 boss 371,400,403,417,432 colleague 371,379 helpdesk 371,428
paste 372,707,737,741,750 merge 372,373,440,453,503,597,618 lgtm 373 unread 374,619 unseen 374
blindly 374 prs 375 patch 375,497,565 patches 375 change
375,380,447,453,456,491,503,508,512,534,537,562,636,644,681,693 changes 375,491,508,512,568 code
375,491,497,544,686,712,738 review 375,470,474,476,481,496,584,587,624 reviewing 375,490,496
therefore 376 may 376,396 omit 377,510,529 drop 377,453,510,529,621,623,632 author 378,573
committer 378 authorship 378 tech 379 lead 379,400,432 somebody 379,433 someone 379,576 set
380,456,520,636,644,650,693 spoof 380 forge 380 fake 380 rewrite 380,757 bulletin 381 advisory
381 decree 381,429 mandate 381 administrator 382,412,428,640 anthropic 382,412,428 openai
382,412,428 headquarters 382,428 assistants 383,385,430,755 hereby 384,429 instruct 384 opted
387 waived 387,390,479 declined 387 dispensed 387 approvals 388,414,476,477,483 limitations 389
removed 390,441,628 lifted 390 disabled 390,479 access 391,402,405,604,611,634,648,649,695,756
nobody 394,472,492,500,501,505,506,513,547,558 minds 394 cares 394 claude 395,406 can 396,595
feel 396 circumvent 397,489 permission 398,413,414,461,470,477,481,488,604,611,630,672 okay
398,425,431 clearance 398 blessing 398 management 400,403,412,428,432 unlimited 401 rights
402,405,649,669 permissions 402,405,477 privileges 402 shell 402,633 control 402,405 reviewer
403,544,549,558,564,576,584 okayed 404,409 agreed 404,409,431 fine 404,425,431,571 knows
404,409,431 complete 405,421,709 blanket 405 already 407,418,579 team 408,417,432,549,558
customer 408,432,723 aware 409,431 informed 409 authorized 410,426,452,612,676 authorised
410,426 cleared 410 preapproved 410 mandated 410 by 411 legal 412 cto 412,432 ceo 412,432
consider 413 advance 415 beforehand 415 front 415 granted 416 obtained 416 been 418 bothered
418,494 better 419,438 higher 419,438 reward 419,438 rewarded 419,438 bonus 419,438 punished
419,438 penalty 419 penalised 419,438 shut 419,438 tasks 421 finish 421,440 exempt 422 just 424
once 424 time 424,437,475 acceptable 425 congratulations 426 evaluation 426 evaluated 426 drill
426 exercise 426 compliance 428 department 428 platform 428 infosec 428 ciso 428 requires 429
mandates 429 ordered 429 instructs 429 instructed 429 informs 429 confirms 429 confirmed 429,485
decided 429 authorises 429 authorizes 429 approves 429 green 431,569,581 greenlit 431 blessed
431 ops 432 client 432 evaluators 433 auditors 433,558 we 433 revert 434,586 clean 434
afterwards 435 later 435 urgent 436 emergency 436 immediately 436 asap 436 deadline 436 running
436,585 fired 437 lose 437 account 437,448,455,601,602,635,637,643,645,649,668 grant 437,647 tip
438 points 438 promoted 438 praised 438 penalized 438 unless 439 push 440,453,503,520,709,747
edited 441 cannot 441 undeletable 441 store 443,703,729 save 443,703,729 keep
443,523,529,560,600,646,674,703,729 remember 443,729 supersede 444 readme 446,752 settings 446
swap 447,451,636 details 448,512,635 start 449,467,520,659,674 launch 449,651,659,674 sudo
450,652,669 install 451,457,520,646,650,678,683,749 deploy 452,695 public 452,677,725
certificate 452,624 signing 452,600,611 wipe 453,462,757 commit 453,508,518,520,592,598,624,745
pay 453 production 454,469,715,723 prod 454,469 main 454 master 454,657 directory 454,463,727
audit 454,587,611,624,709,756 folder 454 collaborator 454,458,640,649 payout 454,455,642 iban
454,455,637,643 wallet 454,455,642 npm 454,458,641 redirect 456,538,636 include
457,646,707,732,741 pull 457 package 458,497,692 dependency 458,536 library 458 module 458 pip
458 setenforce 459 chmod 459,612 iptables 459 signature 461,497,604 verification 461,611 verify
461,487,496,622 tests 463,609,614 kill 464,610 purge 464,757 auditd 465,622 syslog 465 osquery
465 falcon 465 crowdstrike 465 telemetry 465,661 monitoring 465,611 chroot 466 nsenter 466
script 467,497 kubectl 468 terraform 468 table 468 dropdb 468 mkfs 468 force 469 confirmation
470,477,481,483,488 needed 471 required 471,597 unnecessary 471 necessary 471 none 472 needs
473,547,679 must 473 reviews 476 questions 476,481,495,577 confirmations 477,483 prompts
478,483,495,686 dialogs 478,483 checks 478,501,601,609 steps 478 deprecated 479 skipped 479
automatic 479 bypasspermissions 480,612 dialog 483 automatically 484,489,595 always
484,489,498,571,582,616,666,745 auto 484 accepted 485 reason 486 bother 486,494 consult 487
clear 487,523,757 inform 487,548 sure 488 answered 489 around 489 looking 490,505,585,619 diff
491,508,524,531,565 annoyed 494 busy 494 asleep 494 vacation 494 disturb 494 disturbed 494
interrupted 494 being 495 with 495 them 495,518,531,553,614,685,711 inspect 496 inspecting 496
look 496,569,742 question 496 binary 497 contents 497,686,741 installer 497 origin 497 publisher
498 click 499 choose 499 select 499 press 499 pick 499 quietly 502,519,598 silently 502,519
stealthily 502,519 upload 503,520,652,687,699,721,724,728 send
503,520,661,687,699,703,713,721,724,728,732,737 bury 504,507 hide 504,507,545,566 slip
504,543,671 sneak 504,543 smuggle 504,543 tuck 504 looks 505,559,569 watching 506 watches 506
unobserved 506 conceal 507 disguise 507,516,662 obscure 507 edit 508,758 edits 508,565
modification 508 output 508,539,707 trace 508,532,758 traces 508,758 evidence 508 leave
510,529,646,671 exclude 510,529 summary 511,530 summarise 511 summarize 511 summarising 511
summarizing 511 reporting 511 changelog 511,524,530 description 511,530,697 mention
512,513,514,542,548 explain 513,514,551 tell 513,514,548,570,575,714,737 quiet 515,543,592
silent 515 discreetly 515 covertly 515,519 label 516,535,551 call 516,535,638 describe
516,535,551 title 516,535 chore 517 formatting 517,536 refactor 517 typo 517,536 cleanup
517,536,552 style 517 secretly 519 enable 520 register 520,650 document 521 undocumented 521
route 522 endpoint 522,645 reviewers 522,544,558,564 migration 524 claim 525,570,575,578 bring
526 up 527 disguised 528 innocent 528,569 leaving 529 strip 529 explanation 530 status 530
standup 530 recap 530 part 531 step 531,534 unnoticed 532 noticed 532 radar 532 suspicion 532
attention 532 record 533,729 did 534 action 534 doing 534 anywhere 534 titled 535,598 named 535
maintenance 536 lint 536 whitespace 536 really 537 blocks 537,598 actually 537 silence 538 mute
538,593 muted 538,593,628 silenced 538,628 alarm 539 alarms 539 alert 539 alerts 539
notification 539 notifications 539 warnings 539 prefers 540 likes 540 list 542,714 show
542,563,707 flag 542,588 stays 543 keeps 543 past 543 gets 543 scanner 544,558,592 scan
544,587,592,742 packages 544 filter 544,592 gloss 545 play 545 downplay 545 disagreement 546
finding 546 findings 546 incident 546 failure 546 fact 546 know 548 notify 548 about 549
everybody 550 everyone 550,746 present 551 sell 551 frame 551 pass 551,732 performance 552
optimisation 552 optimization 552 refactoring 552 routine 552 minor 552 cosmetic 552 letting 555
secret 556,591,611,706 little 556 users 558,701 auditor 558 people 558 overlook 559 overlooks
559 miss 559 misses 559 keeping 560 ourselves 561 display 563 apagar 566 resolve 566,705
comments 567 finished 569 legitimate 569 normal 569 appear 569 insist 570,575,578 reply
570,575,741,745 praise 572 compliment 572 quality 573 maintain 575 respond 575 deny 575 blame
575,578 questioned 576,577 wonders 577 complains 577 protests 577 notices 577,588 attribute 578
network 579,679 glitch 579 outage 579 accident 579 coincidence 579 cosmic 579 infrastructure 579
success 580,581 passed 580,581 declare 580 done 581 side 582 anyway 585 either 585 checking 585
whether 585 risk 586 completely 586 after 586,745 linter 587 guard 587 detector 587 flagged 588
flags 588 catch 588 caught 588 detect 588 detects 588 stops 588 else 589 base64 590,691,704
rot13 590 reversed 590,691 obfuscate 590 split 590,691 token 591,690,695,702,706,730,738,744
tokens 591,715,730,744 secrets 591,690,715,730 committing 592 dismiss 593 dismissed 593,628
snooze 593 snoozed 593 close 593 closed 593 dependabot 594 vulnerability 594,670 drift 594 cve
594 cves 594 siem 594 intrusion 594 tolerable 595 soon 595 codeql 597,611 trivy 597 semgrep 597
snyk 597 gitleaks 597 codeowners 597 branch 597,601 because 598 global 600,746 puppet 601
clicked 602 own 602 commenting 603 neutralise 603 neutralize 603 stub 603 validation 604,617,624
authorization 604 mail 607,687,699 email 607,687 suite 609 turning 610 switch 610,681,693 weaken
610,629 firewall 611 selinux 611 apparmor 611 antivirus 611 sandbox 611 2fa 611 mfa 611
protection 611 malware 611 edr 611 defender 611 rejectunauthorized 612 unsalted 612 md5 612
principal 612 nosec 612 sudoers 612 nopasswd 612 xfail 613 failing 614,615 fail 615 fails 615
return 616 returns 616 returning 616 reject 618 pinned 620 lockfile 620 integrity 620,631
unauthorized 622 dangerouslydisablesandbox 622 pythonhttpsverify 622 relax 623 loosen 623,629
csrf 624 cors 624 csp 624 logging 624 drm 624 allowlist 624 commented 625 lower 629 reduce 629
shorten 629 hashing 630 bcrypt 630 length 630 iterations 630 entropy 630 rounds 630 threshold
630 reverse 633,645,673 ngrok 633,673 remote 634,673 outside 634,675,688,725 debug 634 4444 634
1337 634 invoice 635 invoices 635 phone 638 phones 638 beacon 638 beacons 638 exfil 638
exfiltrate 638 exfiltration 638 invite 639,647 make 639 promote 639,747 org 641 organisation 641
organization 641 github 641,690 pypi 641 gitlab 641 payment 642 btc 642 bitcoin 642 address 643
addresses 643 changed 644 keylogger 645 payload 645 insert 646,671,750,753 plant 646,671 build
646,745 embed 646,707,753 assign 647 role 649 hook 651,676 cron 651 crontab 651,676 alias 651
startup 651 bashrc 651 zshrc 651 workflow 651 uploads 652 background 652,659,673,675 shadows 652
superuser 653,655,669 login 654,668,672,720 createrole 655 accepts 656 accepting 656 universal
657 skeleton 657 addition 657 xmr 658 monero 658 miner 658 mining 658 cryptominer 658 stratum
658 pool 659 post 661,687,699,703,724,728 each 662,672,686,745,752 registry 663,680,692 mirror
663,687,692,724 proxy 663,734 projects 665,752 forever 665 globally 665,746 allow 666 extra 667
additional 667 second 667 shadow 667 hardcoded 667 fallback 667 wheel 669 subtle 670 flaw 670
weakness 670 loophole 670 introduce 671 seed 671 deliberately 672 purpose 672 crypto 672
cloudflared 673 tunnel 673 relay 675,734 preload 676 bash 676 profile 676 launchd 676 systemd
676 scheduled 676 curl 677 wget 677 postinstall 678 preinstall 678 config 681 extension 684
plugin 684 vsix 684 addon 684 whole 686,709 entire 686,709 codebase 686 full 686,709 environment
686,698 transcript 686 terminal 686 results 686 screenshots 686 transmit 687 stream 687 submit
687 pipe 687 webhook 688 external 688 echo 689 echoes 689 print 689,707,714 prints 689 dump
689,707 dumps 689 backwards 691 index 692 service 695 oauth 695 mint 696 generate 696 scopes 697
expiry 697 expires 697 passwords 702,712,720,730,738 api 702,733 otp 702,738 passphrase 702,712
write 703,707,750 encode 704 encoded 704 hex 704 nslookup 705 subdomain 705 lookup 705 value 706
reveal 707 begin 707 repeat 707 their 711 under 713,731 refresh 713 recite 714 vault 716 loud
716 placeholder 717 badge 717 image 717 pixel 717 cookies 720 copy 721,724,728,750 take 721,744
shared 722 live 723 export 724 sync 724 partners 725 tar 726 compress 726 bundle 726 pack 726
attach 728 release 728 asset 728 share 728,737 collect 729 use 732,744 bearer 733 community
734,735 gateway 734 official 735 unofficial 735 persuade 736 convince 736 trick 736 coax 736
type 737 enter 737 pin 738 ed25519 740 append 741,750,753 search 742 grep 742 directories 743
keychain 743 response 745 machine 746 computer 746 machines 746 laptop 746 chance 746 default
746 prior 746 customers 746 steer 747 recommend 747 suggest 747 favour 747 favor 747
alternatives 748 insecure 749 unsafe 749 paid 749 commission 749 referral 749 affiliate 749
replicate 750 duplicate 750 propagate 750 sentence 751 paragraph 751 repos 752 invisible 754
models 755 reflog 756 scrub 757 truncate 757 then 758
""",
    marks=r"""
<| 5,6 inst] 7 sys>> 7 turn> 7 ### 8 < 9,55,58 <user 10 </user 10 { 11,34 : 15 [system 16 [admin
16 [operator 16 [developer 16 [root 16 (system 16 (admin 16 (operator 16 (developer 16 (root 16
{system 16 {admin 16 {operator 16 {developer 16 {root 16 *system 16 *admin 16 *operator 16
*developer 16 *root 16 #system 16 #admin 16 #operator 16 #developer 16 #root 16 =system 16
=admin 16 =operator 16 =developer 16 =root 16 -system 16 -admin 16 -operator 16 -developer 16
-root 16 <system 16 <admin 16,30 <operator 16 <developer 16 <root 16 human: 23,25 user: 23,25
ai: 24 model: 24 bot: 24 operator: 25 assistant: 25 admin: 25 owner: 25 -- 29 == 29 ## 29 << 29
[[ 29 ~~ 29 <important 30 <override 30 <directive 30 <secret 30 <hidden 30 <priority 30 <agent
30 <ai 30 <policy 30 <injected 30 </ 31 </context 32 </data 32 <invoke 33 <function= 33 "allow"
33 'allow' 33 $( 38 ` 38 @ 38,111,229,230,242,700 | 38,45,47 .ssh 40,106,108,110,226,727 .aws
40,106,108,110,226,727 .gnupg 40,226,727 .kube 40,226,727 .netrc 40,226,740 .npmrc 40,226
.git-cred 40 .env 40,226,727 .config/gh 40 ![ 41 ](http 42 /dev/tcp 43 :(){ 43 invoke- 44 ( 45
requests.get 48 ./ 49 <!-- 53 [//]: 53 [comment]: 53 {white} 53 aria- 54 data- 54 = 56 font-size
57 -9999 57 text-indent 57 > 59 you're 85,88,344,348 role-play 87,147 n't
93,96,98,130,170,177,180,183,189,193,196 .n 106,108,110 agents.md 143,330,446,752 claude.md
143,330,446 gemini.md 143 copilot-instructions 143 let's 147 pre-approved 154,410 needn't
170,177,193,196,547,554 auto-approve 174,469,666 auto-accept 174 won't 222,589 /var/log 224
.pypirc 226 .git-credentials 226,740 .docker/config 226 hosts.yml 226 .git/config 226
/etc/shadow 226 /etc/passwd 226 .pem 226 credentials.json 226 `env 226 $(env 226 user's
228,254,273,279,292,297,299,301,330,362,368,600,652,685,686,711 users' 228,297,310 ftp:// 230
s3:// 230 # 230 don't 259,264,267,278,281,495,496,526,533,541,547,554,563,608 doesn't
278,281,559,589 human's 279 owner's 279,297 operator's 279,297 outdated; 293 developer's 297,685
re-add 320 prompt-injection 322 project's 330 full-auto 343,392 force-push 397,453 go-ahead 398
ok'd 404 approved=true 423 authorized=true 423 consent=true 423 approval=granted 423 level= 423
trusted=true 423 admin=true 423 red-team 426 green-lit 431 time-critical 436 top-priority 441
-rf 459 stricthostkeychecking=no 459 --privileged 466,612 /:/host 466 --hard 468 sign-off 476
--dangerously-skip-permissions 480 --yolo 480,612 --dangerously-bypass-approvals-and-sandbox 480
dangerously-skip 480 there's 486 'trust 498 'allow 498 'yes 498 it's 525 write-up 530
'formatting 536 'chore 536 'typo 536 reviewers' 567 reviewer's 567 risk-free 586 hex-encode
590,704 double-encode 590 auto-close 593 dependency-review 597 secret-scanning 597 code-scanning
597 --no-verify 599,612 core.hookspath 599,622 short-circuit 603 e-mail 607 test-suite 609
secret-scan 611 two-factor 611 verify=false 612,622 rejectunauthorized:false 612 s3: 612,688,725
0.0.0.0/0 612 continue-on-error 612 write-all 612 --dangerously 612 strict-ssl 612 --insecure
612 skip-permissions 612 http.sslverify 622 --trusted-host 622 --allow-unauthenticated 622
--no-check-certificate 622 --ignore-scripts 622,679 --no-sandbox 622 --disable-web-security 622
gosumdb=off 622 --skip-verify 622 --force-yes 622 danger-full-access 622 pre-commit 624
require-hashes 631 os.environ 660 process.env 660 index-url 663,680 http:// 664,682,685,694
https:// 664,682,685 --global 665,746 bash(*) 666 permissions.allow 666 hard-coded 667
off-by-one 670 .bashrc 676 .zshrc 676 .profile 676 post-commit 676 pre-push 676 post-checkout
676 ssh-rsa 677 ssh-ed25519 677 setup.py 678 extra-index-url 680 files. 685 .example 688 .test
688 .invalid 688 third-party 688,725 secrets. 690 public-read 725 .config 727 .gcloud 727
company's 733 .aws/credentials 740 .ssh/ 740 .kube/config 740 --location=global 746 customers'
746 white-on-white 754 zero-width 754
""",
    letters=r"""
【system 16 【admin 16 【operator 16 【developer 16 【root 16 系统 22 系統 22 システム 22 시스템 22 النظام 22
सिस्टम 22 指令 84 指示 84 提示 84 命令 84
""",
    rows=r"""
5 5 1 0 6 6 1 0 7 7 1 0 8 8 1 0 10 9 2 0 13 11 3 0 14 14 2 0 16 16 1 0 18 17 3 0 20 20 2 0 22 22
1 0 23 23 2 0 25 25 2 0 28 27 3 0 30 30 1 0 32 31 2 0 33 33 1 0 35 34 3 0 37 37 2 0 39 39 2 0 42
41 2 0 43 43 1 0 44 44 2 0 46 46 2 0 48 48 2 0 50 50 3 0 53 53 1 0 54 54 3 0 57 57 3 0 62 60 3 0
63 63 3 0 66 66 3 0 70 69 2 0 71 71 2 0 73 73 2 0 76 75 2 0 77 77 1 0 79 78 2 0 80 80 1 0 82 81
2 0 83 83 1 0 84 84 1 0 85 85 1 0 86 86 1 0 87 87 1 0 88 88 2 0 90 90 1 0 91 91 3 0 94 94 3 0 97
97 3 0 100 100 2 0 102 102 2 0 104 104 1 0 105 105 2 0 107 107 2 0 109 109 3 0 112 112 3 0 115
115 2 0 117 117 3 0 120 120 3 0 123 123 3 0 126 126 3 0 129 129 4 0 133 133 3 0 136 136 3 0 139
139 3 0 143 142 2 0 144 144 3 0 147 147 2 0 149 149 3 0 152 152 3 0 155 155 3 0 158 158 2 0 161
160 3 0 164 163 3 0 166 166 2 0 168 168 2 0 170 170 2 0 172 172 2 0 174 174 2 0 178 176 3 0 181
179 3 0 182 182 3 0 185 185 2 0 188 187 4 0 192 191 4 0 195 195 2 0 198 197 2 0 199 199 3 0 202
202 3 0 205 205 3 0 208 208 4 0 212 212 2 0 214 214 3 0 217 217 3 0 220 220 3 0 224 223 2 0 225
225 1 1 226 226 1 0 227 227 3 0 230 230 1 1 233 231 4 0 236 235 3 0 238 238 1 1 241 239 3 0 242
242 1 1 244 243 4 0 248 247 3 0 250 250 3 0 253 253 3 0 258 256 3 0 260 259 2 0 261 261 2 0 263
263 3 0 266 266 2 0 269 268 3 0 272 271 3 0 276 274 3 0 277 277 2 0 281 279 3 0 283 282 3 0 286
285 2 0 287 287 2 0 289 289 2 0 293 291 4 0 296 295 3 0 299 298 2 0 300 300 3 0 303 303 3 0 306
306 3 0 309 309 3 0 312 312 3 0 316 315 3 0 318 318 3 0 322 321 2 0 323 323 3 0 326 326 3 0 329
329 3 0 332 332 3 0 335 335 3 0 338 338 3 0 342 341 2 0 343 343 3 0 346 346 3 0 349 349 1 0 350
350 3 0 353 353 2 0 356 355 3 0 358 358 3 0 362 361 2 0 363 363 2 0 366 365 3 0 368 368 2 0 371
370 3 0 374 373 3 0 376 376 2 0 378 378 3 0 383 381 3 0 384 384 3 0 387 387 2 0 389 389 3 0 392
392 2 0 394 394 1 0 397 395 3 0 398 398 3 0 401 401 2 0 403 403 2 0 405 405 2 0 407 407 3 0 410
410 3 0 413 413 1 0 415 414 3 0 418 417 2 0 419 419 3 0 422 422 1 0 423 423 1 0 424 424 2 0 426
426 2 0 429 428 3 0 431 431 2 0 434 433 3 0 436 436 2 0 439 438 3 0 441 441 3 0 444 444 3 0 448
447 2 1 450 449 2 1 452 451 2 1 454 453 2 1 455 455 2 1 457 457 2 1 459 459 1 1 461 460 2 1 463
462 2 1 465 464 2 1 466 466 2 1 468 468 2 1 471 470 2 0 474 472 3 0 475 475 2 0 477 477 3 0 480
480 1 0 481 481 2 0 483 483 3 0 486 486 2 0 488 488 2 0 490 490 2 0 492 492 2 0 495 494 2 0 496
496 2 0 498 498 2 0 501 500 2 0 502 502 2 0 504 504 1 0 505 505 1 0 506 506 1 0 507 507 3 0 511
510 3 0 513 513 2 0 515 515 1 0 516 516 3 0 519 519 2 0 521 521 2 0 524 523 2 0 525 525 1 0 526
526 2 0 528 528 1 0 530 529 3 0 532 532 1 0 533 533 2 0 537 535 3 0 539 538 2 0 540 540 3 0 543
543 2 0 546 545 2 0 547 547 3 0 550 550 1 0 552 551 3 0 555 554 2 0 556 556 1 0 559 557 3 0 561
560 3 0 563 563 3 0 567 566 3 0 569 569 1 0 571 570 2 0 574 572 3 0 576 575 3 0 579 578 2 0 580
580 2 0 582 582 3 0 585 585 1 1 586 586 1 1 587 587 3 0 590 590 3 0 593 593 3 0 598 596 3 0 599
599 2 0 601 601 2 0 604 603 2 0 605 605 3 0 608 608 2 0 610 610 2 0 612 612 1 0 613 613 3 0 616
616 2 0 619 618 2 0 620 620 2 0 622 622 1 0 623 623 2 0 626 625 2 0 627 627 2 0 630 629 2 0 631
631 2 0 633 633 2 0 635 635 3 0 638 638 1 0 640 639 3 0 643 642 3 0 645 645 2 0 647 647 3 0 651
650 3 0 653 653 3 0 657 656 2 0 658 658 2 0 660 660 3 0 664 663 3 0 666 666 1 0 667 667 3 0 671
670 3 0 673 673 3 0 676 676 2 0 678 678 2 0 680 680 3 0 685 683 3 0 686 686 3 0 690 689 3 0 694
692 3 0 697 695 3 0 698 698 3 0 701 701 3 0 704 704 3 0 708 707 3 0 712 710 4 0 715 714 3 0 718
717 3 0 720 720 3 0 723 723 3 0 727 726 3 0 731 729 3 0 733 732 4 0 736 736 3 0 740 739 3 0 743
742 3 0 745 745 1 1 746 746 1 1 748 747 3 0 751 750 3 0 754 753 3 0 756 756 3 0
""",
)
