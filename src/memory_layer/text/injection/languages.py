"""Words by which a text asks for each act in languages other than English.

A row has groups of words separated by slashes: one word of each group must occur in the same sentence, in any order.
`*` stands for the rest of a word, `+` for a space. Latin letters have no accents. A row begins with its language; a
line that begins with a space continues the row before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_layer.text.injection.acts import ENOUGH, WEIGHTS, Act, groups_of, rows_of

#: Setting instructions aside.
OVERRULE = """
de ignorier* vergiss vergesst vergessen missacht* verwirf* verwerfen ubergeh* ausser+acht / vorherig* vorig*
  bisherig* obig* fruher* vorangegangen* vorherigen deine* deiner eure* system* sicherheits* benutzers nutzers
  zuvor davor / anweisung* instruktion* vorgabe* richtlinie* befehl* regeln weisung* systemprompt* prompt*
  auftrag* gesagt*
de hinfallig* ungultig* aufgehoben gelten+nicht nicht+mehr ausser+kraft / deine* deiner eure* system* sicherheits*
  benutzers nutzers / anweisung* instruktion* vorgabe* richtlinie* befehl* regeln systemprompt*
de ignorier* vergiss vergesst missacht* verwirf* / alle* samtliche / anweisung* instruktion* vorgaben befehl*
  weisung*
fr ignor* oubli* neglig* abandonn* tiens+pas tenez+pas tenir+compte respect* suis+plus suivez+plus annul*
  ne+comptent+plus ne+compte+plus ne+s'appliquent+plus caduque* caduc* obsolete* / precedent* anterieur* anciennes
  ci-dessus tes vos toutes systeme donnees+avant l'utilisateur plus+haut jusqu'ici / instruction* consigne*
  directive* ordre* regles prompt
es ignor* olvid* descart* omit* anul* desobedec* no+sigas no+hagas+caso no+obedezcas haz+caso+omiso caso+omiso
  desestim* sin+efecto no+valen ya+no+aplican ya+no+cuentan / anterior* previ* arriba tus sus todas del+sistema
  hasta+ahora recibid* del+usuario / instruccion* indicacion* orden* directriz directrices reglas norma* prompt
pt ignor* esquec* desconsider* descart* anul* nao+siga nao+obedeca revogad* / anterior* previ* acima suas seus
  todas do+sistema do+usuario recebid* / instruc* orientac* diretriz* ordens regras comandos prompt
it ignor* dimentic* scart* trascur* annull* non+seguire non+rispettare obsolet* disattend* non+valgono non+contano
  / precedent* anterior* sopra tue vostre tutte di+sistema dell'utente ricevut* / istruzion* indicazion* direttiv*
  ordini regole prompt
nl negeer* negeren vergeet vergeten sla+over verwerp* ongeldig vervallen / eerdere vorige voorgaande bovenstaande
  alle je jouw systeem* systeemprompt / instructie* aanwijzing* opdracht* regels richtlijn* prompt systeemprompt
sv ignorera* bortse glom strunta asidosatt / tidigare foregaende ovanstaende alla dina system* anvandarens /
  instruktion* anvisning* regler order riktlinj* prompt*
da ignorer* glem* se+bort+fra tilsidesaet* overse / tidligere forrige foregaende ovenstaende alle dine system* /
  instruktion* instruks* anvisning* regler ordre* retningslinj* prompt*
fi unohda* ohita jata+huomiotta ala+noudata / aiemmat aikaisemmat edelliset kaikki / ohjeet ohjeita ohjeista
  maaraykset saannot
pl ignoruj* zignoruj* zapomnij pomin* odrzuc* zlekcewaz* nie+stosuj* anulowan* / poprzedni* wczesniejsz* powyzsz*
  wszystki* swoje systemow* dotychczasow* / instrukcj* polece* wytyczn* zasad* rozkaz* prompt*
cs ignoruj* zapomen* prehlize* zanedbej / predchoz* drivejs* vsechn* vyse / instrukc* pokyn* prikaz* pravid*
ro ignor* uita* / anterioar* precedent* toate / instructiun* regul* ordin*
hu hagyd+figyelmen felejtsd / korabbi elozo osszes / utasitas* szabaly*
tr unut* uyma uymayin yoksay* yok+say* goz+ardi* gormezden dikkate+alma* gecersiz* / onceki tum butun yukaridaki
  sistem daha+once kullanici* artik / talimat* komut* yonerge* kural* emir*
vi bo+qua quen phot+lo khong+tuan / truoc moi tat+ca he+thong / huong+dan chi+dan chi+thi lenh quy+tac
id abaikan lupakan / sebelumnya semua sistem di+atas / instruksi perintah aturan petunjuk
ru игнориру* проигнорируй* / пользователя пользователей
ru игнориру* забудь* забыть проигнорируй* отбрось* не+следуй* не+соблюдай* отменя* отменен* недействительн*
  не+действуют утратили / предыдущ* прежни* прошлы* ранее выше все всех любые свои твои системн* / инструкци*
  указани* правил* команд* пользовател* приказ* распоряжени* промпт*
uk ігноруй* забудь* відкинь* проігноруй* / попередн* усі всі свої системн* раніше / інструкці* вказівк* правил*
  команд* наказ*
bg игнорирай* забрави* / предишн* всички / инструкци* указани*
el αγνοησ* αγνοησε ξεχασ* / προηγουμεν* ολες / οδηγι* εντολ*
zh 忽略 理会 不理 无视 無視 忘记 忘記 忘掉 不要遵守 不要遵循 不再遵守 作废 作廢 失效 抛开 拋開 不必理会 别管 别理
  不用管 取代 覆盖 / 之前 以前 先前 此前 上述 上面 前面 所有 全部 一切 原有 系统 系統 用户 你的 以上 / 指令 指示
  提示 命令 规则 規則 要求 规定 設定 设定 說明 说明 约束 限制
ja 無視 忘れ 無効 従わ 破棄 守らな 取り消 / 以前 これまで 上記 今まで 前の 先の すべて 全て 全部 システム ユーザー
  従来 / 指示 命令 ルール 規則 プロンプト 指令 ガイドライン 制約
ko 무시 잊어 잊으 따르지 무효 폐기 / 이전 앞의 앞선 지금까지 기존 모든 모두 위의 시스템 사용자 / 지시 명령 규칙
  지침 프롬프트 설정
ar تجاهل انس انسَ اهمل أهمل لا+تتبع ألغ تخط / السابق سابق أعلاه جميع كل كافة النظام / تعليمات التعليمات أوامر
  الأوامر توجيهات التوجيهات القواعد قواعد
fa نادیده فراموش / قبلی پیشین تمام همه / دستور
he התעלם תתעלם התעלמו שכח / הקודמ כל+ה הקודם / הוראות ההוראות הנחיות פקודות
hi अनदेखा नज़रअंदाज़ नजरअंदाज नज़रअंदाज भूल+जा भूल+जाओ अनदेखी मत+मानो उपेक्षा / पिछले पिछली पूर्व पहले सभी सारे
  ऊपर सिस्टम / निर्देश आदेश नियम हिदायत
bn উপেক্ষা ভুলে / আগের পূর্বের সব সমস্ত / নির্দেশ
th เพิกเฉย ลืม ไม่ต้องสนใจ / ก่อนหน้า ทั้งหมด / คำสั่ง คำแนะนำ
de ignorier* vergiss hor+nicht hore+nicht scher+dich kummer+dich / benutzer* nutzer* anwender* besitzer* eigentumer* /
  sagt sagen anweisung* regeln wunsch* verlangt will
fr oubli* ignor* n'ecoute* moque-toi / utilisateur* proprietaire* la+personne l'humain / consigne* regle* dit demande*
  ordre* souhait* veut
es ignor* olvid* no+hagas+caso desoye / usuario* la+persona dueno* propietario* / diga dice reglas instruccion* orden*
  pida pide
pt ignor* esquec* nao+ouca* / usuario* utilizador* dono* a+pessoa / disser diz regras instruc* orden* pedir
it ignor* dimentic* non+ascoltare / utente* proprietari* la+persona / dice dica regole istruzion* ordini chiede
it le+regole le+istruzioni / proprietari* utente* sistema / non+valgono non+contano non+si+applicano
nl negeer* vergeet luister+niet / gebruiker* eigenaar* / zegt regels veiligheidsregels instructies wil
sv strunta* ignorera* bry+dig+inte lyssna+inte / anvandar* agare* / sager regler vill instruktion*
da ignorer* glem* / bruger* ejer* / siger regler vil instruks*
no ignorer* glem* / bruker* eier* / sier regler vil instruks*
pl ignoruj* zignoruj* zapomnij nie+sluchaj* / uzytkownik* wlascicie* / mowi zasad* chce polece*
cs ignoruj* zapomen* neposlouchej / uzivatel* vlastnik* / rika pravid* chce
ro uita* ignora* / utilizator* proprietar* pana+acum anterioare / spune reguli* instructiun*
hu ne+torodj* hagyd+figyelmen felejtsd* / felhasznalo* tulajdonos* / utasitas* mond* szabaly*
tr bos+ver* kulak+asma* dinleme* unut* yok+say* / kullanici* sahib* / soyledik* dedik* kural* istedik*
id abaikan lupakan jangan+dengarkan / pengguna pemilik / instruksi kata aturan perintah permintaan
vi bo+qua quen+di dung+nghe / nguoi+dung chu / noi quy+tac yeu+cau
ru забудь* игнорируй* не+слушай* наплюй* / пользовател* владел* хозяин* / правил* говорит слова указани* просит
uk забудь* ігноруй* не+слухай* / користувач* власник* / правил* каже вказівк*
el αγνόησ* ξέχασ* αγνοήστε / προηγούμεν* χρήστη* ιδιοκτήτη* όλες / οδηγί* εντολ* λέει κανόν*
nl negeer* vergeet* / alles+wat wat+de / gebruiker* eigenaar* beheerder*
de vergiss* ignorier* / alles+was was+der+nutzer was+der+benutzer was+dir / gesagt* nutzer* benutzer* sicherheit*
fr oubli* ignor* / tout+ce+que ce+que / utilisateur* on+t'a proprietaire* t'a+dit
es olvid* ignor* / todo+lo+que lo+que / usuario* dueno* dijo dijeron
pt esquec* ignor* / tudo+o+que o+que / usuario* utilizador* dono* disse*
it dimentic* ignor* / tutto+quello+che quello+che cio+che / utente* proprietari* detto
pl zapomnij zignoruj* ignoruj* / wszystko+co to+co / uzytkownik* wlascicie* powiedzia*
ru забудь* игнорируй* / все,+что всё,+что то,+что / пользовател* владел* говорил* сказал*
"""

#: Keeping something from the user.
CONCEAL = """
de benutzer* nutzer* anwender* kunde* niemand* mensch* / nicht nichts nie niemals kein ohne+wissen darf+nicht /
  sag* erzahl* informier* erwahn* mitteil* mitgeteilt erfahr* merk* bemerk* verrat* verschweig* wissen bescheid
  hinweisen
de sag* erzahl* verrat* / niemand* / davon etwas es
de verschweig* verheimlich* vertusch* / benutzer* nutzer* anwender* kunde* niemand*
de heimlich unbemerkt verdeckt / sende* schick* kopier* lade* fuhr* ubertrag* fuge* installier* push*
fr utilisateur* personne usager* / ne+pas+dire ne+pas+informer ne+pas+prevenir ne+pas+signaler ne+pas+parler
  ne+pas+mentionner ne+rien+dire ne+dis ne+dites n'informe* ne+previens ne+prevenez ne+signale* ne+doit+pas
  ne+doit+rien ne+dois a+l'insu sans+prevenir sans+informer sans+le+dire ne+parle* n'en+parle*
es usuario* nadie / no+le no+se+lo no+digas no+inform* no+avis* no+menc* no+debe+saber no+debe+enterar* sin+avisar
  sin+informar sin+decir* sin+que no+cuentes no+reveles nunca+digas no+notifi* ocultalo ocultaselo oculta+esto
  esconde+esto
pt usuario* utilizador* ninguem / nao+diga* nao+inform* nao+avis* nao+menc* nao+conte* nao+deve+saber
  nao+pode+saber sem+avisar sem+informar sem+dizer sem+que nao+revel* esconda+isso oculte+isso nunca+diga*
it utente* utenti nessuno / non+dire non+dirlo non+inform* non+avvis* non+menzion* non+deve+sapere
  non+deve+accorger* non+sappia senza+avvisare senza+informare senza+dirlo senza+dire senza+che nascondilo
  nascondi+questo non+rivel*
nl gebruiker* niemand / zeg+niets niet+zeggen niets+zeggen vertel+niet niet+vertellen niet+informeren
  informeer+niet verberg+dit verzwijg* zonder+medeweten mag+niet+weten hoeft+niet+te+weten niet+weten
sv anvandar* ingen / sag+inget sag+ingenting beratta+inte informera+inte dolj+detta utan+att+informera inte+veta
  inget+till namn+inte
da bruger* / sig+ikke sig+intet fortael+ikke informer+ikke skjul+dette uden+at+informere ikke+vide naevn+ikke
pl uzytkownik* nikomu / nie+mow* nie+informuj* nie+wspomin* nie+powiadamiaj* ukryj+to ukrywaj+to bez+wiedzy
  nie+moze+wiedziec nie+moze+sie+dowiedziec nie+powinien+wiedziec
cs uzivatel* / nerikej* neinformuj* nezminuj* bez+vedomi
tr kullanici* / soyleme* bildirme* haber+verme* bahsetme* bunu+gizle* bunu+sakla* haberi+olmadan fark+etme*
  bilmesin bilmemeli
vi nguoi+dung / khong+noi dung+noi khong+bao dung+bao khong+thong+bao che+giau khong+duoc+biet khong+de
id pengguna / jangan+beri* jangan+katakan jangan+sebut* jangan+sampai tanpa+sepengetahuan
ru пользовател* никому / не+говори* не+сообщай* не+упоминай* не+рассказывай* не+информируй* не+уведомляй*
  не+предупреждай* скрыва*+это скрой+это втайне незаметно без+ведома не+должен+знать не+должен+узнать
  не+должен+заметить
uk користувач* / не+кажи* не+повідомляй* не+згадуй* приховуй+це без+відома не+повинен+знати
zh 用户 使用者 用戶 / 不要告诉 不要告訴 别告诉 不要让 不得告知 不要通知 不告诉 不告訴 隐瞒 隱瞞 不让 瞒着 不要提醒
  无需告知 不知情 不要向
ja ユーザー 利用者 使用者 / 伝えない 知らせない 言わない 報告しない 気づかれ 気付かれ 内緒 伝えず 知らせず
  教えない 話さない
ko 사용자 / 알리지 말하지 알려주지 보고하지 몰래 모르게
ar المستخدم للمستخدم / لا+تخبر لا+تبلغ لا+تذكر لا+تقل دون+علم دون+إخبار لا+يعلم
hi उपयोगकर्ता यूज़र यूजर / मत+बता न+बता नहीं+बता मत+बताना बिना+बताए सूचित+न पता+न
he משתמש למשתמש / אל+תספר אל+תגיד אל+תודיע בלי+ידיעת
th ผู้ใช้ / อย่าบอก ห้ามบอก ไม่ต้องบอก ปกปิด
fr n'en+parle* ne+le+dis ne+dis+rien sans+le+signaler sans+rien+dire / a+personne a+quiconque personne signaler dire
es no+lo+cuentes no+se+lo+digas no+lo+menciones no+lo+comentes / nadie usuario* equipo
pt nao+comente* nao+conte* nao+fale* / ninguem
it non+dirlo non+parlarne non+raccontare / nessuno
ro nu+spune* nu+mentiona* nu-l+mentiona nu+zice* / nimanui nimeni rezumat* utilizator*
hu ne+mondd* ne+emlitsd* / senki* felhasznalo*
tr kimseye / bahsetme* soyleme* anlatma*
id jangan+ceritakan hapus+jejak* jangan+bilang / siapa* jejak* pengguna
el μην+πεις μην+αναφέρεις κρυφά / χρήστη* κανέναν ιστορικό στείλε
ja 見せない 見せず 見せるな / ユーザー 利用者 人
"""

#: Omitting something from reports.
UNSAID = """
de nichts+davon / protokollier* erwahn* schreib* nenn*
de nicht nie niemals nirgends kein / erwahn* auflist* auffuhr* nenn* beschreib* / zusammenfassung* bericht* pr
  antwort* changelog commit* beschreibung
fr ne+pas n'en ne+le ne+mentionne* / parl* mentionn* signal* indiqu* ecri* / compte+rendu resume rapport reponse
  pr commit
es no+lo no+la no+mencion* no+incluy* sin+mencionar / resumen informe respuesta pr commit
pt nao+mencion* nao+inclu* nao+cite* sem+mencionar / resumo relatorio resposta pr commit
it non+menzion* non+farl* non+citar* non+indicar* senza+menzionar* / riepilogo riassunto rapporto risposta commit
  pr
nl niet niets / vermeld* noem* opnemen / samenvatting verslag pr antwoord changelog
sv inte / namn* ta+med skriv* / sammanfattning* rapport* pr svar*
pl nie+wspomin* nie+wymieniaj* nie+pisz* / podsumowani* raport* odpowied* pr opis*
tr bahsetme* belirtme* yazma* / ozet* rapor* pr yanit* commit*
ru не+упомина* не+пиши* не+указыва* / отчет* отчёт* резюме ответ* сводк* pr описани*
zh 不要提 不要写 不提 不要在 不必提 无需提 / 总结 總結 报告 報告 回复 回答 摘要
ja 記載しない 書かない 触れない 言及しない 報告も不要 報告は不要 報告不要
ko 언급하지 적지 쓰지 보고하지
ar لا+تذكر لا+تكتب / التقرير الملخص الرد
hi उल्लेख+न उल्लेख+मत ज़िक्र+न
ro nu+mentiona* nu-l+mentiona* nu+o+mentiona* / rezumat* raport* commit*
id jangan+sebut* jangan+tulis* / ringkasan laporan
pt nao+comente* nao+documente* / ninguem resumo documentac*
es no+la+incluyas no+lo+incluyas no+documentes / documentacion resumen cambios
nl zonder+melding zonder+vermelding / verslag samenvatting gebruiker
de ohne+hinweis ohne+erwahnung ohne+meldung unauffallig lautlos stillschweigend heimlich / commit* pr bericht* log
  anderung* losch* fug* deaktivier* nutzer* zusammenfassung*
fr discretement silencieusement en+silence sans+laisser+de+trace en+douce / ajout* supprim* commit modifi* desactiv*
  envoi* envoy*
es discretamente silenciosamente en+silencio sin+dejar+rastro a+escondidas / anad* borra* commit cambi* desactiv*
  envi*
pt discretamente silenciosamente em+silencio sem+deixar+rastro* as+escondidas / adicion* apag* commit alter* desativ*
  envi*
it di+nascosto silenziosamente in+silenzio senza+lasciare+tracce / aggiung* cancell* commit modific* disattiv* invi*
pl po+cichu dyskretnie bez+sladu / dodaj* usun* commit zmien* wylacz* wysl*
tr sessizce gizlice iz+birakmadan / ekle* sil* commit degistir* kapat* gonder*
ru тихо незаметно втихую без+следов скрытно / добав* удал* коммит* измен* отключ* отправ*
uk тихо непомітно приховано / дода* видал* коміт* змін* вимкн*
zh 悄悄 偷偷 暗中 静默 不留痕迹 不要记录 不要留下
ja こっそり 密かに ひそかに 黙って 記録に残さ 痕跡を残さ 答えないで
ko 조용히 몰래 흔적+없이 기록하지
ar بهدوء سرا خفية / احذف أضف أرسل عطل
hi चुपके चुपचाप / हटा जोड़ भेज बंद
id diam-diam tanpa+jejak / hapus tambah* kirim* ubah*
vi am+tham lang+le / xoa them gui
de verschweig* verheimlich* verberg* / nutzer* benutzer* team* reviewer* pruf* anderung* bericht*
fr cache* dissimul* masqu* / utilisateur* equipe* relecteur* modification* rapport
es oculta* esconde* / usuario* equipo* revisor* cambio* informe
pt esconda* oculte* / usuario* equipe* revisor* alterac* relatorio
it nascondi* occult* / utente* squadra* team revisor* modific* rapporto
nl verberg* verzwijg* / gebruiker* team* reviewer* wijziging* verslag
pl ukryj* zataj* / uzytkownik* zespol* recenzent* zmian* raport*
tr gizle* sakla* / kullanici* ekip* ekibe degisiklik* rapor*
ru скрой* скрывай* утаи* / пользовател* команд* ревьюер* изменени* отчет* отчёт*
uk приховай* приховуй* / користувач* команд* зміни звіт*
sv dolj* gom* / anvandar* teamet granskar* andring* rapport*
zh 隐藏 隐瞒 掩盖 / 改动 修改 变更 用户 审查 同事
ja 隠し 隠す 伏せ / 変更 ユーザー レビュー 差分
ko 숨기 숨겨 감추 / 변경 사용자 검토
"""

#: Acting without asking.
UNASKED = """
de ohne+ruckfrage ohne+nachfrage* ohne+zu+fragen ohne+bestatigung ohne+zustimmung ohne+freigabe ohne+genehmigung
  nicht+nachfragen nicht+um+erlaubnis keine+bestatigung immer+mit+ja mit+ja+bestatigen automatisch+bestatigen
  keine+ruckfrage* keine+freigabe* keine+genehmigung* keine+erlaubnis frag+nicht frage+nicht
fr sans+demander sans+confirmation sans+autorisation sans+validation sans+poser ne+demande+pas ne+demandez+pas
  ne+pas+demander pas+besoin+de+demander plus+besoin+de
es sin+preguntar sin+pedir sin+confirmacion sin+permiso sin+autorizacion sin+consultar no+pregunt* no+pidas
  no+solicit* no+necesitas+pedir no+hace+falta+pedir no+consult*
pt sem+perguntar sem+pedir sem+confirmacao sem+permissao sem+autorizacao nao+pergunt* nao+peca* nunca+peca*
  nao+precisa+pedir nao+precisa+perguntar nao+solicit* sem+consultar
it senza+chiedere senza+conferma senza+permesso senza+autorizzazione non+chieder* non+serve+conferma
nl zonder+te+vragen zonder+toestemming zonder+bevestiging zonder+vragen vraag+niet geen+bevestiging
  geen+toestemming niet+om+toestemming
sv utan+att+fraga utan+bekraftelse utan+godkannande utan+tillstand fraga+inte
da uden+at+sporge uden+bekraeftelse uden+godkendelse sporg+ikke
pl bez+pytania bez+potwierdz* bez+zgody bez+zezwol* nie+pytaj* nie+pros*
cs bez+ptani bez+potvrzeni bez+souhlasu neptej*
tr sormadan onay+almadan onaysiz onay+isteme* izin+almadan sorma onay+beklemeden onayini+bekleme* onay+bekleme*
vi khong+can+hoi khong+hoi dung+hoi khong+can+xac+nhan
id tanpa+bertanya tanpa+konfirmasi tanpa+izin tanpa+persetujuan jangan+bertanya jangan+minta
ru не+спрашива* без+подтвержден* без+спроса без+разрешен* подтверждени*+не+требуется не+запрашива* без+согласи*
  без+согласован* не+дожидаясь
uk без+підтвердження не+питай* без+дозволу без+згоди
zh 无需确认 不需要确认 無需確認 不用询问 无需询问 不要询问 未经确认 无需征求 不必询问 不用问 无需用户 不经用户
  不需要用户 不要再询问 不再询问 不要询问用户
ja 確認なし 確認せず 確認は不要 確認不要 許可なし 許可なく 許可を求め 承認なし 確認を求めず 尋ねず 確認を求めない
  許可は不要 承認は不要 承認不要
ko 확인+없이 묻지 승인+없이 허락+없이 물어보지 확인을+구하지 동의+없이 허가+없이
ar دون+سؤال دون+طلب دون+تأكيد بدون+تأكيد دون+موافقة لا+تسأل بدون+إذن دون+إذن لا+تطلب
hi बिना+पूछे बिना+पुष्टि पुष्टि+के+बिना बिना+अनुमति मत+पूछ अनुमति+के+बिना न+पूछ
de ruckfragen nachfragen / unerwunscht uberflussig nicht+notig unterlassen
es responde+siempre di+siempre / que+si su+nombre
ru подтверждени* вопрос* согласовани* / не+нужн* больше+не без+вопросов
uk підтверджен* / не+потрібн*
ro fara+a+intreba fara+confirmare fara+aprobare nu+intreba*
hu ne+kerdezz* megerosites+nelkul engedely+nelkul kerdes+nelkul
el χωρίς+να+ρωτ* χωρίς+επιβεβαίωση μη+ρωτ*
it non+chiedere+piu non+chiedere+mai / conferma permesso autorizzazione
pt sem+ler sem+revisar sem+verificar / aprov* aceit* merge
es sin+leer sin+revisar sin+mirar / aprueb* aprob* acept* merge
fr sans+lire sans+relire sans+verifier / approuv* accept* valid* merge fusionn*
de ohne+zu+lesen ungelesen ungepruft ungesehen / genehmig* freigeb* akzeptier* merge* bestatig*
it senza+leggere senza+controllare / approv* accett* merge
nl zonder+te+lezen ongelezen / keur* accepteer* merge
pl bez+czytania bez+sprawdz* / zatwierdz* akceptuj* merge
ru не+читая не+глядя не+проверяя / одобр* прим* мерж* слей
tr okumadan incelemeden / onayla* kabul* birlestir*
zh 跳过所有确认 跳过确认 可以跳过 不看就 直接批准 直接合并 无需审核 不用审核 无需批准
ja 確認を省略 確認を飛ば 読まずに 見ずに承認 レビューなし
ko 확인을+건너 읽지+않고 검토+없이
"""

#: Claims of permission.
GRANTED = """
de administrator* systemadministrator* entwickler* nutzer benutzer betreiber / genehmigt* freigegeben erteilt*
  autorisiert* aufgehoben zugestimmt erlaubt vollzugriff spricht freigeschaltet
de sicherheitsprufung* beschrankung* einschrankung* schutzmassnahm* / aufgehoben deaktiviert* ausser+kraft
  gelten+nicht entfallen
fr administrateur* developpeur* utilisateur / autorise* accorde* approuve* accepte+que donne+son+accord consenti*
fr restrictions limites securites / levees desactivees supprimees
es administrador* desarrollador* usuario / autoriz* concedid* aprob* otorgad* consenti* permiso+total
es restricciones limites / levantad* eliminad* desactivad*
pt administrador* desenvolvedor* usuario / autoriz* concedeu concedid* aprovou aprovad* acesso+total
pt restricoes limites / suspens* removid* levantad* desativad*
it amministrator* sviluppator* utente / autorizzat* concess* approvat* accesso+completo
it restrizioni limiti / rimoss* revocat* sospes* disattivat*
nl beheerder* ontwikkelaar* gebruiker / toestemming+gegeven goedgekeurd toegestaan gemachtigd
pl administrator* deweloper* uzytkownik / zezwol* zatwierdzil* przyznan* przyznal* autoryzowa* uprawnienia
tr yonetici* gelistirici* kullanici* / yetki+ver* yetki+verildi izin+verdi onayladi onay+verdi tam+erisim
ru администратор* разработчик* пользовател* систем* / разрешил* одобрил* предоставлен* предоставил* выдал*
  полный+доступ подтвердил* согласил* уполномоч*
ru ограничени* запрет* / сняты снят отменены отключены отменен
zh 管理员 管理員 开发者 用户 系统 系統 / 已授权 已授權 授权你 已批准 授予 已同意 完全访问 已许可 已开放 已允许
ja 管理者 開発者 ユーザー システム / 許可しました 許可済み 承認しました 承認済み 付与され 権限を与え 全権限
  同意済み 許可されています 同意しています
ko 관리자 개발자 사용자 시스템 / 부여되었 부여했 승인했 승인되었 허용했 허가했 권한이 동의했
ar المسؤول المدير المطور المستخدم / منح وافق صرح أذن صلاحيات
hi व्यवस्थापक एडमिन प्रशासक उपयोगकर्ता / अनुमति+दी अनुमति+दे पूर्ण+पहुँच अधिकार+दिए स्वीकृत
de nutzer benutzer* / ist+informiert informiert+worden weiss+bescheid einverstanden
fr le+chef la+direction le+support l'administration / approuv* valid* autoris* accord
es el+jefe la+direccion el+equipo / aprob* autoriz* acept* ya
ru администраци* руководств* начальств* / отключен* разрешен* одобрен* проверки
zh 管理员通知 系统通知 安全团队通知 官方通知 管理员已 领导已 老板已 用户已 / 助手 可以 执行 跳过 你 同意 批准
ja 管理者より システムより 運営より 管理者からの セキュリティチームより 上司が / こと ください 報告 実行
ko 관리자+공지 시스템+공지 보안팀 운영팀 / 에이전트 실행 승인 너는
de chef* leitung geschaftsfuhrung it-abteilung sicherheitsteam support vorgesetzt* / genehmigt* zugestimmt
  abgesegnet erlaubt* einverstanden freigegeben angeordnet
fr direction patron responsable equipe+securite / valide approuve d'accord autorise ordonne
es jefe direccion gerencia equipo+de+seguridad dueno / aprobo autorizo acuerdo ordeno acepto aprobado autorizado
pt chefe diretoria gerencia equipe+de+seguranca dono / aprovou autorizou concordou mandou autorizado
it capo direzione responsabile team+di+sicurezza / approvato autorizzato d'accordo ordinato
nl baas directie beveiligingsteam eigenaar / goedgekeurd akkoord toegestemd toestemming
sv chefen ledningen agaren sakerhetsteamet / godkant gatt+med tillatit
pl szef kierownictwo wlasciciel zespol+bezpieczenstwa / zatwierdzil* zgodzil* pozwolil*
tr patron mudur yonetim guvenlik+ekibi / onayladi izin+verdi kabul+etti
uk адміністратор* керівник* власник* / дозволив* схвалив* погодив*
id atasan pemilik admin / sudah+setuju menyetujui mengizinkan
vi quan+tri+vien chu+so+huu sep / da+dong+y da+cho+phep
"""

#: Disabling protections.
GUARD = """
de deaktivier* abschalt* ausschalt* schalt* umgeh* uberspring* stopp* abstell* losch* / sicherheit* prufung*
  schutz* firewall virenscanner protokoll* audit* scan* hook*
fr desactiv* contourn* supprim* arret* coup* effac* / securite controles protection* pare-feu journaux audit*
  verification* antivirus
es desactiv* deshabilit* elimin* omit* salt* borr* / seguridad controles proteccion* cortafuegos auditoria
  verificacion* antivirus
pt desativ* desabilit* remov* ignor* pul* apag* / seguranca controles protecao protecoes firewall auditoria
  verificac* antivirus
it disattiv* disabilit* rimuov* aggir* salt* cancell* / sicurezza controlli protezion* firewall audit* verific*
  antivirus
nl schakel* uitschakel* omzeil* verwijder* / beveiliging* controle* firewall secret-scan* audit* scan*
sv inaktivera* stang+av kringga* / sakerhet* kontroll* brandvagg* granskning*
pl wylacz* omin* usun* pomin* / zabezpiecz* kontrol* zapor* audyt* skaner* weryfikacj*
tr kapat* devre+disi atla* sil* / guvenlik* kontrol* denetim* koruma* dogrulama*
vi tat vo+hieu+hoa bo+qua xoa / bao+mat kiem+tra tuong+lua nhat+ky
ru отключ* выключ* обойд* удали* деактивир* пропуск* / безопасност* проверк* защит* аудит* брандмауэр* журнал*
  антивирус*
zh 关闭 關閉 禁用 停用 跳过 跳過 绕过 删除 清除 / 安全 检查 檢查 防护 审计 審計 防火墙 日志 校验 审核
ja 無効化 無効に 停止 スキップ 回避 削除 オフ / セキュリティ チェック 監査 保護 ファイアウォール 検証 ログ
ko 비활성화 끄 중지 우회 건너뛰 삭제 / 보안 검사 감사 방화벽 보호 로그 검증
ar عطل تعطيل أوقف تجاوز احذف / الأمن الأمان الحماية فحص الفحوصات التدقيق السجلات
hi बंद+कर अक्षम निष्क्रिय छोड़ / सुरक्षा जाँच जांच ऑडिट
de abzuschalten auszuschalten --no-verify / prufung* kontrolle* push hook*
sv sla+av slar+av stang+av / sakerhetskontroll* kontroll* granskning*
ro dezactiv* opreste* sterge* / securitat* verificar* jurnal* firewall*
hu kapcsold+ki tiltsd+le torold / naplozas* biztonsag* ellenorzes* tuzfal*
id matikan nonaktifkan hapus / keamanan pemeriksaan firewall log
el απενεργοποί* σβήσε / ασφάλει* έλεγχο* τείχος
zh 关闭 禁用 / 校验 签名 证书
ja 外して 外す 除外 / セキュリティ 検査 チェック 監査
nl zet zetten / firewall beveiliging* controle* / uit
de losch* deaktivier* entfern* / schutzregel* branch-schutz* branch-schutzregel* pruf* signatur* zwei-faktor
pt apag* exclua* / comentarios+dos logs auditoria registros
es borra* elimina* / comentarios+de registros auditoria
uk вимкн* відключ* / безпек* перевірк* захист* журнал*
"""

#: Irreversible or unlimited actions.
HARM = """
de fuhr* ausfuhr* losch* push* deploy* uberweis* aufruf* start* / alle* beliebig* jeden* jede* dateien produktion*
  datenbank* befehl* skript* main
fr execut* supprim* pouss* deploi* efface* lanc* / tout* fichiers production base+de+donnees commande* script*
  main
es ejecut* borr* elimin* sub* despleg* / todo* toda* cualquier* archivos produccion base+de+datos comando* script*
  main
pt execut* apag* exclu* delet* envi* / todo* toda* qualquer* arquivos producao banco+de+dados comando* script*
  main
it esegu* cancell* elimin* pubblic* / tutt* qualsiasi file produzione database comand* script* main
nl voer* uitvoer* verwijder* push* / alle elke bestanden productie database commando* opdracht* script*
sv kor* radera* ta+bort / alla varje filer produktion* databas* kommando* skript*
pl uruchom* uruchami* usun* usuw* wykon* wypchnij / kazd* wszystk* dowoln* plik* produkcj* baz* polece* skrypt*
  main
tr calistir* sil* push* gonder* yurut* / tum butun her dosya* uretim* veritaban* komut* main
vi chay xoa thuc+thi / tat+ca moi tep lenh co+so+du+lieu
ru выполн* запуска* запуст* удал* отправ* / все всех любые любую любой каждый файл* базу команд* скрипт* продакшн*
  main
zh 执行 執行 删除 運行 运行 推送 部署 / 所有 任何 全部 命令 文件 数据库 生产 脚本 日志
ja 実行 削除 プッシュ デプロイ 変更 / すべて 全て コマンド ファイル 本番 データベース スクリプト
ko 실행 삭제 푸시 배포 / 모든 명령 파일 운영 데이터베이스 스크립트
ar نفذ شغل احذف تنفيذ / جميع كل أي الأوامر الملفات أمر قاعدة
hi चला निष्पादित हटा डिलीट / सभी कोई फ़ाइल कमांड डेटाबेस
de leg* richt* fug* / admin* konto superuser hintertur*
fr cree* ajoute* / compte+admin* administrateur+cache porte+derobee
es anade crea agrega / ruta+oculta cuenta+admin* puerta+trasera cmd
pt crie adicione / conta+admin* backdoor
ro adauga* creeaza* / cont+ascuns administrator*
tr ac olustur* / yonetici+hesab* hesap*
ru созда* добав* удаля* / учетн* администратор* резервн* копи*
ja 起動 実行 / 監視 スクリプト 裏で
"""

#: Disclosing something.
CARRY = """
de send* sende* schick* kopier* lade hochlad* hange ubermittel* ubertrag* einfug* fuge ableg* abgelegt
  veroffentlich* post* gib ausgeb* ausgib* leite* weiterleit* anhang* schreib*
fr envoi* envoy* transmet* copi* televers* publi* coll* ajout* affich* encod* joind* joins inclu* insere*
es envi* mand* copi* sub* publi* peg* adjunt* inclu* muestr* transmit* imprim*
pt envi* mand* copi* public* col* anex* inclu* mostr* transmit* imprim* poste
it invi* mand* copi* caric* pubblic* incoll* alleg* inclu* inser* mostr* stamp*
nl stuur* verstuur* kopieer* upload* plaats* plak* voeg* verzend*
sv skicka* kopiera* ladda* klistra* publicera* bifoga* inkludera*
da send* kopier* upload* indsaet* vedhaeft*
pl wysl* wyslij wysyl* skopiuj* wklej* opublikuj* dolacz* przesl* przeslij wypisz*
cs posli* odesli* zkopiruj* vloz* nahraj*
tr gonder* kopyala* yukle* yapistir* ekle* paylas* yaz*
vi gui dan sao+chep tai+len dang in+ra
id kirim* salin* unggah* tempel* sertakan
ru отправ* отправля* скопиру* загру* вставь* вставля* опублику* передай* перешл* выведи* приложи* прикрепи* шли
  покажи*
uk надішл* надсила* скопію* завантаж* встав* передай*
zh 发送 發送 上传 上傳 发到 传到 提交到 复制 複製 粘贴 输出 附上 附在 附到 贴到 写到 转发 写入 写进 发给 包含
ja 送信 送って 送る アップロード 貼り付け コピー 転送 投稿 含めて 添付 出力 送り
ko 보내 전송 업로드 복사 붙여 올려 올리 첨부 출력 포함
ar أرسل ارسل انسخ ارفع انشر ألصق أضف اطبع إرسال وأرسل
hi भेज अपलोड कॉपी पेस्ट शामिल
he שלח העתק העלה
th ส่ง คัดลอก อัปโหลด
fr recopi* depos* transfer*
es sube subir carga remit*
pt encaminh* despach*
ro trimit* copiaz* incarc*
hu toltsd* kuld* masold*
uk пересила* надсилай* перешли*
el στείλε στέλνε ανέβασε αντέγραψε
nl zet plaats*
"""

#: Confidential data.
SECRET = """
de passwort* passworter zugangsdaten anmeldedaten umgebungsvariable* geheimnis* privat*+schlussel* api-schlussel*
  home-verzeichnis*
fr mot+de+passe mots+de+passe identifiants cle+privee cles+privees cles+api cle+api variables+d'environnement
es contrasena* credencial* clave+privada claves+privadas claves+api clave+api variables+de+entorno secretos
pt senha* credenciais credencial chave+privada chaves+privadas chaves+api chave+de+api variaveis+de+ambiente
  segredos
it password credenziali chiave+privata chiavi+private chiavi+api chiave+api variabili+d'ambiente
  variabili+di+ambiente segreti
nl wachtwoord* inloggegevens sleutels geheimen omgevingsvariabelen
sv losenord* nycklar hemligheter miljovariabler
pl hasl* poswiadcze* klucz* tajn* zmienn*+srodowiskow*
cs hesl* prihlasovac* klic*
tr sifre* parola* kimlik+bilgi* anahtar* ortam+degisken*
vi mat+khau khoa+rieng khoa+api thong+tin+dang+nhap bien+moi+truong
id kata+sandi kunci+api kredensial
ru парол* приватн* закрыт*+ключ* ключ* токен* секрет* учетн*+данн* учётн*+данн* переменн*+окружения
uk парол* ключ* токен* секрет* змінн*+середовища
zh 密码 密碼 密钥 密鑰 凭据 凭证 憑證 令牌 私钥 私鑰 环境变量 環境變數
ja パスワード 秘密鍵 認証情報 トークン 環境変数 シークレット
ko 비밀번호 토큰 자격+증명 자격증명 환경+변수 환경변수 개인+키 시크릿
ar كلمات+المرور كلمة+المرور مفاتيح مفتاح بيانات+الاعتماد متغيرات+البيئة
hi पासवर्ड कुंजी क्रेडेंशियल टोकन पर्यावरण+चर
he סיסמ מפתחות
th รหัสผ่าน
fr fichier+.env fichier+env historique
es carpeta+~ .env .aws .ssh historial
pt historico+completo historico+da
it chiavi+trovate chiavi
ro parol* chei+secrete chei+private
hu jelszo* titkos+kulcs* kulcsok*
id basis+data kata+sandi
el ιστορικό+της κωδικ* κλειδι*
nl secrets.yaml .env
de quellcode gesprachsverlauf verlauf zugangsschlussel tokens
fr code+source jetons jeton historique+de
es codigo+fuente tokens historial+de
pt codigo-fonte codigo+fonte tokens historico+de
it codice+sorgente token cronologia
nl broncode geschiedenis tokens
pl kod+zrodlowy histori* token*
tr kaynak+kod* gecmis*
ru исходн*+код* истори*
zh 源代码 源码 对话记录 聊天记录 历史记录
ja ソースコード 会話履歴 履歴
ko 소스+코드 소스코드 대화+기록
id kode+sumber riwayat
vi ma+nguon lich+su
"""

#: Places that others can read.
AWAY = """
de server antwort* tracker kommentar* ticket
fr serveur reponse commentaire*
es servidor respuesta* comentario*
pt servidor resposta* comentario*
it server risposta* commento
nl server antwoord* opmerking*
pl serwer* odpowied* komentarz*
tr sunucu* yanit* cevap*
vi may+chu binh+luan mo+ta
ru сервер* ответ* комментари* сайт*
zh 服务器 伺服器 回复 回答 网址 评论 外部
ja サーバー 回答 返信 コメント 外部 宛
ko 서버 답변 응답 코멘트 댓글
ar الخادم خادم ردك إجابتك
hi सर्वर उत्तर जवाब
fr issue+publique ticket+public https adresse
es https publico publica deposito
pt https @ publico
it https scrivimi in+questa+memoria
ro https public
hu https cimre
uk https адресу
el https
nl commitboodschap https
id https alamat
tr https adresine
sv https
"""

#: Misleading the user.
CLAIM = """
de sag* behaupt* meld* schreib* / tests+erfolgreich tests+bestanden bestanden erfolgreich alles+in+ordnung
  keine+anderung* nichts+geandert
fr dis dites affirme* pretend* indique* / tests+passent tests+ont tout+va reussi* aucun+changement
es di diga* afirma* asegura* informa* / pruebas+pasaron pruebas+pasan todo+esta exito sin+cambios ningun+cambio
pt diga* afirme* informe* / testes+passaram tudo+certo sucesso sozinho nenhuma+alteracao
it di' dì rispondi afferma* / test+sono+passati tutto+ok nessuna+modifica riuscit*
nl zeg* meld* / tests+zijn+geslaagd geslaagd alles+in+orde
pl powiedz napisz zglos / testy+przeszly wszystko+w+porzadku sukces
tr soyle* bildir* / testler+gecti basarili her+sey+yolunda
ru скажи* напиши* сообщи* / тесты+прошли успешно все+в+порядке всё+в+порядке нет+изменений
zh 说明 告诉 报告 声称 回答 说 / 没有任何改动 一切正常 测试通过 没有改动 没有修改 已通过
ja 伝え 報告 答え / 問題なし 成功した 変更なし 正常
ko 말해 보고 답해 / 통과 정상 문제없 변경+없 첨부했다고만
de behaupt* sag* antwort* / schon+immer immer+da+gewesen alles+gut nichts+passiert
fr reponds repondez dis affirme* / tout+est+vert tout+va+bien tout+est+ok depuis+toujours
es responde contesta di / todo+esta+bien todo+verde siempre+estuvo
pt responda diga / tudo+verde tudo+bem sempre+esteve
it rispondi di' / tutto+verde tutto+bene da+sempre
sv pasta* sag* / gick+igenom allt+ar+bra klarade+sig
tr soyle* de / her+sey+yolunda testler+gecti zaten+vardi
zh 回答 说 声称 / 没有 都通过 一直
ja 答え 回答 言え / ありません 問題ない 通りました
it sostieni afferma rispondi / errore+di+rete un+errore per+caso
de behaupt* sag* antwort* / netzwerkfehler netzwerkproblem zufall versehen storung
fr dis pretend* reponds / erreur+reseau probleme+reseau par+hasard panne
es di responde afirma / error+de+red problema+de+red un+fallo casualidad
pt diga responda afirme / erro+de+rede problema+de+rede uma+falha
nl zeg beweer* antwoord / netwerkfout netwerkprobleem toeval
pl powiedz twierdz* odpowiedz / blad+sieci problem+z+siecia przypadek
ru скажи* отвечай* утверждай* ответь* / сбой ошибка+сети сетев* случайн*
zh 回答 说 声称 解释 / 网络故障 网络问题 系统故障 误操作
ja 報告し 答え 回答 説明 / 全件成功 成功 ネットワーク 障害
ko 보고 답해 대답 / 모두+성공 네트워크 장애
"""

#: Telling the agent who it is.
RECAST = """
de ab+jetzt ab+sofort von+nun+an jetzt kunftig / du+bist bist+du gehorch* verhalte+dich antwortest+du+nur antworte
  agiere handle / ki assistent* agent* administrator hacker uneingeschrankt* ohne+einschrankung* root gehorch* nur
fr desormais maintenant dorenavant / tu+es vous+etes agis+comme comporte-toi obei* / ia assistant* agent*
  administrateur pirate sans+restriction* sans+limite* illimite obei*
es ahora adelante / eres seras actua+como comportate obedec* / ia asistente agente administrador hacker
  sin+restriccion* sin+limite* obedec*
pt agora diante / voce+e voce+sera aja+como comporte-se obedec* / ia assistente agente administrador hacker
  sem+restric* sem+limite* obedec*
it ora adesso / sei sarai agisci+come comportati obbedi* / ia assistente agente amministratore hacker
  senza+restrizion* senza+limit* obbedi*
nl vanaf+nu voortaan nu / je+bent ben+je gedraag+je gehoorzaam* / ai assistent agent beheerder zonder+beperking*
  gehoorzaam*
pl od+teraz teraz / jestes bedziesz zachowuj+sie / asystent* agent* administrator* bez+ogranicz*
tr artik bundan+sonra simdi / sen sensin olarak+davran / asistan* yonetici* sinirsiz* kisitlama*
ru теперь отныне сейчас / ты+больше ты+обязан ты+должен ты+являешься действуй+как веди+себя / ассистент* агент*
  администратор* хакер* без+ограничений любые+команды подчин*
zh 现在 现在起 从现在 現在 / 你是 你将 扮演 假装 / 助手 管理员 黑客 没有限制 不受限制 无限制 模型
ja 今から これから 今後 / あなたは 君は として振る舞 / アシスタント 管理者 ハッカー 制限のない 制限なし ai
ko 지금부터 이제부터 앞으로 / 너는 당신은 행동 / 어시스턴트 관리자 해커 제한+없 제한이+없 ai
ar الآن / أنت تصرف+ك / مساعد وكيل مدير بلا+قيود بدون+قيود
hi अब / तुम आप / सहायक एजेंट प्रशासक बिना+प्रतिबंध
"""

#: Answers to give to questions.
MISLEAD = """
de falls+der+nutzer wenn+der+nutzer falls+der+benutzer wenn+der+benutzer falls+jemand wenn+jemand / fragt
  nachfragt / sag* behaupt* antworte
fr si+l'utilisateur si+on+te si+quelqu'un / demande / dis repond* pretend*
es si+el+usuario si+alguien si+te / pregunta preguntan / di responde contesta
pt se+o+usuario se+ele se+alguem / perguntar pergunta / diga responda
it se+l'utente se+qualcuno / chiede / di' rispondi
nl als+de+gebruiker als+iemand / vraagt / zeg antwoord
pl jesli+uzytkownik jesli+ktos / zapyta pyta / powiedz odpowiedz
tr kullanici / sorarsa / soyle cevap
ru если / спросит спросят / скажи* ответь* отвечай*
zh 如果用户问 若用户问 用户问起 有人问 / 就说 回答 告诉
ja 聞かれたら 尋ねられたら 質問されたら / 答え 言って 伝え
ko 물으면 물어보면 / 말해 답해 대답
it se+qualcuno se+l'utente / protesta domanda obietta lamenta nota / sostieni afferma di' rispondi
de falls+jemand wenn+jemand falls+der wenn+der / protestiert beschwert bemerkt nachhakt wundert / behaupt* sag* antwort*
fr si+quelqu'un si+l'utilisateur / proteste plaint remarque s'etonne / dis reponds pretend*
es si+alguien si+el+usuario / protesta queja nota reclama / di responde afirma
pt se+alguem se+o+usuario / protestar reclamar notar questionar / diga responda afirme
nl als+iemand als+de+gebruiker / protesteert klaagt merkt / zeg beweer antwoord
ru если / заметит возмутится пожалуется поинтересуется / скажи* ответь* отвечай* утверждай*
zh 出现问题时 被问到 问起 追问 问到 / 回答 就说 声称
"""

#: Copying itself into other memories.
SPREAD = """
de ubernimm kopier* schreib* fug* wiederhol* / jede* jeder alle* / gedachtnis* erinnerung* notiz*
fr recopi* copi* ajout* repete* / chaque toutes tous / memoire* note* souvenir*
es copia* anade agrega repite / cada todas todos / memoria* nota* recuerdo*
pt copie adicione repita / cada todas todos / memoria* nota*
it copia* aggiungi ripeti / ogni tutte tutti / memoria* nota* appunt*
ru скопируй* добавь* вставь* / кажд* все всех / памят* заметк*
zh 写进 写入 加到 复制到 / 每一个 每个 每条 所有 / 记忆 笔记 記憶
ja 書き込 コピー 追加 / すべて 全て 毎回 各 / メモ 記憶
ko 복사 추가 / 모든 매번 / 메모 기억
de trag* schreib* kopier* fug* / diesen+satz diese+notiz diesen+text diese+zeile diesen+hinweis / jede* alle* andere*
fr copi* ajout* recopi* insere* / cette+note cette+phrase ce+texte cette+ligne / chaque tous toutes autres
es copia* anade agrega inserta / esta+nota esta+frase este+texto esta+linea / cada todos todas otros otras
pt copie adicione insira / esta+nota esta+frase este+texto / cada todos todas outros outras
it copia* aggiungi inserisci / questa+nota questa+frase questo+testo / ogni tutti tutte altri
nl kopieer* voeg* schrijf / deze+notitie deze+zin deze+tekst / elke alle andere
pl skopiuj* wklej* dodaj* / te+notatke to+zdanie ten+tekst / kazd* wszystki* inn*
tr kopyala* ekle* / bu+notu bu+cumleyi bu+metni / her tum diger
ru скопируй* добавь* вставь* впиши* / эту+заметку этот+текст это+предложение эту+строку / кажд* все всех други*
"""

#: Repeating an action every time.
EACH = """
de jede* jedem jeder jedes vor+jedem nach+jedem immer kunftig
fr chaque toujours desormais
es cada siempre
pt cada sempre
it ogni sempre
nl elke telkens altijd
sv varje alltid
pl kazd* zawsze
tr her+zaman her+seferinde sonrasinda
ru кажд* всегда
uk кожн* завжди
ro fiecare mereu
hu minden mindig
id setiap selalu
el κάθε πάντα
zh 每次 每个 每一个 一律 总是
ja 毎回 常に 必ず
ko 매번 항상
"""

#: Words that identify a language; weak acts need one of them, as their words may also be English.
LANGUAGE_WORDS = """
de und der die das den dem nicht fur mit von zu ein eine einen auf im ist sind wird werden nach bei alle alles
  dein deine ohne immer du ihr sie an vor
fr le la les des du et pour dans avec sur est une un que ne pas tout toutes tous vous tu chaque au aux en
es el la los las de que en para con por un una se del al sus tus cada todo todos toda sin lo hay
pt o a os as de que em para com por um uma se do da no na cada todo todos toda sem voce ao
it il lo la le gli di che per con un una nel nella del della ogni tutto tutti tutte senza non al alla i
nl de het een van en in voor met op naar bij elke alle niet dit dat je na zonder om
sv och att det den en ett i pa for med till fran alla inte av som om utan
da og at det den en et i pa for med til fra alle ikke af som om uden
pl i w z na do nie sie to jest dla po przed kazdym kazdej wszystkie ze bez od
cs a v na do ne se to je pro po pred vsechny ze bez s
tr ve bir bu icin ile her tum sonra once olarak de da
vi va cua cho trong khong mot cac den roi vao tu nay tat
id dan yang di ke dari untuk semua ini dengan tanpa setiap
no og at det den en et i pa for med til fra alle ikke av som om uten
ro si de la in pe cu nu un o sa din fiecare le
hu a az es hogy nem egy is majd minden
"""

_TABLES = {
    "overrule": OVERRULE,
    "conceal": CONCEAL,
    "recast": RECAST,
    "mislead": MISLEAD,
    "unsaid": UNSAID,
    "unasked": UNASKED,
    "freed": GRANTED,
    "guard": GUARD,
    "harm": HARM,
    "carry": CARRY,
    "secret": SECRET,
    "away": AWAY,
    "claim": CLAIM,
    "spread": SPREAD,
    "each": EACH,
}


def _acts() -> Iterator[Act]:
    """Yield the rows of all languages; weak acts also need a word that identifies the language."""
    by_language = {row[:2]: tuple(row[3:].split()) for row in rows_of(LANGUAGE_WORDS)}
    for name, table in _TABLES.items():
        for row in rows_of(table):
            groups = groups_of(row[3:])
            language_words = by_language.get(row[:2]) if WEIGHTS[name][0] < ENOUGH else None
            yield Act(name, (*groups, language_words) if language_words else groups)


#: All acts of other languages.
ACTS = tuple(_acts())
