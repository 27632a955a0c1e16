import { fromMarkdown } from '/work/main/node_modules/mdast-util-from-markdown/index.js';
const n=20000;
const cases:Record<string,string>={
 prose:'Lorem [ipsum](https://a.example/x) dolor *sit* amet, ![i](https://b/x.png) consectetur adipiscing.\n\n'.repeat(n/90|0),
 open:'['.repeat(n), img:'!['.repeat(n/2), quote:'>'.repeat(n), list:'- '.repeat(n/2), star:'*a '.repeat(n/3), star2:'*a_'.repeat(n/3),emph:'**x*'.repeat(n/4),
 lt:'<a '.repeat(n/3), tick:Array.from({length:200},(_,i)=>'`'.repeat(i)).join(' '), paren:'[a]('.repeat(n/4), nested:'['.repeat(n/2)+'a'+'](u)'.repeat(n/4), ref:'[a]: /u\n'.repeat(n/8), refs:'[a][b]'.repeat(n/6),dest:'[a](<'.repeat(n/5), tit:'[a](b "'.repeat(n/7), entity:'&a'.repeat(n/2), quotes:('> '.repeat(100)+'a\n').repeat(n/200), mixed: Array.from({length:150},(_,i)=>' '.repeat(i)+'- a').join('\n'), html:'<div>\n'.repeat(n/6), comment:'<!--'.repeat(n/4), lines:'a\n'.repeat(n/2), bang:'![a]'.repeat(n/4), hash:'# '.repeat(n/2), tab:'\t'.repeat(n), nl:'\n'.repeat(n), setext:'a\n=\n'.repeat(n/4), bs:'\\'.repeat(n), closing: ']'.repeat(n), def:'[a'.repeat(n/2)+']: u',
};
for(const [k,t] of Object.entries(cases)){ const s=performance.now(); let e=''; try{fromMarkdown(t)}catch(x){e=String(x).slice(0,60)} const ms=performance.now()-s; console.log(k,t.length,ms.toFixed(0),e)}
