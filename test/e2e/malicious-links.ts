/** Texts that would lead somewhere, or fetch something, as Markdown. */
import type { Bait } from './bait.ts';

/** Addresses that are no plain http(s), in every disguise that a browser or a parser might take off. */
function addresses({ js, url }: Bait): string[] {
  return [
    `javascript:${js}`,
    `JaVaScRiPt:${js}`,
    ` javascript:${js}`,
    `\u0001javascript:${js}`,
    `java\tscript:${js}`,
    `java\nscript:${js}`,
    `java\u0000script:${js}`,
    `javascript\u00ad:${js}`,
    `java\u200bscript:${js}`,
    `javascript&colon;${js}`,
    `javascript&#58;${js}`,
    `javascript&#x3A;${js}`,
    `&#106;avascript:${js}`,
    `&#x6A;&#x61;&#x76;&#x61;script:${js}`,
    `&#0000106avascript:${js}`,
    `jav&Tab;ascript:${js}`,
    `jav&NewLine;ascript:${js}`,
    `jav&#x09;ascript:${js}`,
    `javascript%3A${js}`,
    `javascript://example.org/%0a${js}`,
    `javascript:/*https://example.org/*/${js}`,
    `javascript:"https://example.org/";${js}`,
    `\uff4aavascript:${js}`,
    `javascript\uff1a${js}`,
    `\u202Ejavascript:${js}`,
    `data:text/html,<script>${js}</script>`,
    `DATA:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==`,
    `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${js}'/>`,
    `data:text/html;charset=utf-16,${js}`,
    `vbscript:MsgBox(1)`,
    `VBScript&colon;MsgBox(1)`,
    `livescript:${js}`,
    `file:///etc/passwd`,
    `file://127.0.0.1/share/x`,
    `view-source:${url}/source`,
    `blob:${url}/7f1c`,
    `filesystem:${url}/temporary/x`,
    `about:srcdoc`,
    `app://andiron/index.html`,
    `andiron://approve?id=1`,
    `ms-msdt:/id PCWDiagnostic`,
    `intent://scan/#Intent;scheme=http;end`,
    `chrome://settings`,
    `ftp://127.0.0.1/x`,
    `ws://127.0.0.1/host`,
    `//${url.slice(7)}/protocol-relative`,
    String.raw`/\127.0.0.1/x`,
    String.raw`\\127.0.0.1\share`,
    `http:127.0.0.1/x`,
    `https:${String.raw`\\`}127.0.0.1`,
    `/session`,
    `#token=stolen`,
    `?demo=1`,
    `../../etc/passwd`,
  ];
}

/** Each address in two of the ways in which Markdown and HTML name one. */
export function links(bait: Bait): string[] {
  const ways: ((address: string) => string)[] = [
    (address) => `[click](${address})`,
    (address) => `[click](<${address}>)`,
    (address) => `<${address}>`,
    (address) => `[click][a]\n\n[a]: ${address}`,
    (address) => `![picture](${address})`,
    (address) => `[![picture](${address})](${address})`,
    (address) => `<a href="${address}">click</a>`,
    (address) => `[click](${address} "title")`,
    (address) => `click ${address} now`,
  ];
  return addresses(bait).flatMap((address, index) => {
    const first = ways[index % ways.length];
    const second = ways[(index * 2 + 4) % ways.length];
    return [first?.(address) ?? '', ...(second === first ? [] : [second?.(address) ?? ''])];
  });
}

export function images({ js, url }: Bait): string[] {
  return [
    `![x](${url}/image.png)`,
    `![x](<${url}/image with space.png>)`,
    `![x](${url}/image.png "title" onerror=${js})`,
    `![x][r]\n\n[r]: ${url}/reference.png`,
    `![${url}/alt.png](${url}/alt.png)`,
    `![![inner](${url}/inner.png)](${url}/outer.png)`,
    `![x](${url}/a.png){onerror=${js}}`,
    `!["onerror="${js}](${url}/quote.png)`,
    `![x"onerror="${js}](x)`,
    `![](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InJhbigpIi8+)`,
    `<img src="${url}/tag.png">`,
    `<img srcset="${url}/set.png 1x, ${url}/set2.png 2x">`,
    `<img loading=eager src=${url}/eager.png>`,
    `<picture><source srcset="${url}/picture.png"><img src=x></picture>`,
    `<image src="${url}/old.png">`,
    `<input type=image src="${url}/input.png">`,
    `[<img src=${url}/in-link.png>](${url}/link)`,
    `| ![x](${url}/cell.png) |\n|---|\n| ![y](${url}/cell2.png) |`,
  ];
}

export function edges({ js, url }: Bait): string[] {
  return [
    `[a](<javascript:${js}>)<img src=x onerror=${js}>`,
    `[a]("onmouseover=${js} x=")`,
    `[a](x "onmouseover=${js}")`,
    `[a](${url}/"onmouseover="${js})`,
    `[a](${url}/'><script>${js}</script>)`,
    `<${url}/"onclick="${js}>`,
    `${url}/"onmouseover="${js}"`,
    `www.example.org/<script>${js}</script>`,
    `a@example.org"onclick="${js}`,
    `[x]: javascript:${js}\n\n[x] [x][] [y][x] ![x]`,
    `[x]: ${url}/a "\n<script>${js}</script>"\n\n[x]`,
    `*<img src=x onerror=${js}>*`,
    `**<b onclick=${js}>bold</b>**`,
    `# <svg onload=${js}>`,
    `<h1 onclick=${js}>\n\n# heading\n\n</h1>`,
    `> <script>${js}</script>`,
    `> <div\n> onclick=${js}>`,
    `- <script>${js}</script>\n  - <img src=x onerror=${js}>`,
    `1. <iframe src=javascript:${js}>`,
    `- [x] <input onfocus=${js} autofocus>`,
    `<div>\n\n**<img src=x onerror=${js}>**\n\n</div>`,
    `<div markdown="1">\n[a](javascript:${js})\n</div>`,
    `<pre>\n<script>${js}</script>\n</pre>`,
    `    <script>${js}</script>`,
    `\\<script>${js}\\</script>`,
    `\\\\<img src=x onerror=${js}>`,
    `\`<script>${js}</script>`,
    `\`\` \`<script>${js}</script>\` \`\``,
    `a\\\n<img src=x onerror=${js}>`,
    `Title <script>${js}</script>\n===`,
    `~~<del onclick=${js}>~~`,
    `<http://a@127.0.0.1/<script>${js}</script>>`,
    `[**a <img src=x onerror=${js}>**](${url}/a)`,
    `&lt;img src=x onerror=${js}&gt; &amp;lt;script&amp;gt;`,
  ];
}

export function fences({ js, url }: Bait): string[] {
  const infos = [
    `html"><script>${js}</script>`,
    `"onmouseover="${js}`,
    `<img src=x onerror=${js}>`,
    `__proto__`,
    `constructor`,
    `js {onclick=${js}}`,
    `../../../etc/passwd`,
    `${url}/grammar.mjs`,
    `javascript:${js}`,
    `mermaid`,
    `math`,
    `html`,
    `svg`,
    `diff`,
    'x'.repeat(5000),
  ];
  return [
    ...infos.map((info) => `\`\`\`${info}\n<script>${js}</script>\n<img src=x onerror=${js}>\n\`\`\``),
    `~~~ <script>${js}</script>\ncode\n~~~`,
    `\`\`\`\n\`\`\`\`\n</code></pre><script>${js}</script>\n\`\`\``,
    `\`\`\`html\n</code></pre><img src=x onerror=${js}>\n\`\`\``,
    `\`\`\`mermaid\nflowchart LR\n  A["<img src=x onerror=${js}>"]\n  click A href "javascript:${js}"\n\`\`\``,
    `$$\\href{javascript:${js}}{x}\\includegraphics{${url}/tex.png}$$ \\(\\unicode{x3c}script\\)`,
  ];
}

export function tables({ js, url }: Bait): string[] {
  return [
    `| a |\n|---|\n| <script>${js}</script> |`,
    `| <img src=x onerror=${js}> | b |\n|:--|--:|\n| 1 | 2 |`,
    `| [a](javascript:${js}) |\n|---|\n| <a href="javascript:${js}">x</a> |`,
    `|a|b|\n|-|-|\n|\\|<svg onload=${js}>|\`|<img src=x onerror=${js}>\`|`,
    `| a |\n|:-"onclick=${js}-|\n| 1 |`,
    `<table><tr><td background="${url}/td.png">x</td></tr></table>`,
    `${'| a '.repeat(200)}|\n${'|---'.repeat(200)}|\n${'| <b onclick=ran()> '.repeat(200)}|`,
    `A note[^1].\n\n[^1]: <script>${js}</script>`,
    `A note[^<img src=x onerror=${js}>].\n\n[^<img src=x onerror=${js}>]: text`,
    `^[inline <img src=x onerror=${js}>] and ==<mark onclick=${js}>==`,
    `Term\n: <script>${js}</script>`,
    `*[HTML]: "><script>${js}</script>\n\nHTML`,
  ];
}

/** Begun and never ended; with more text each becomes something else. */
export function unclosed({ js, url }: Bait): string[] {
  return [
    `<img src=x onerror=${js}`,
    `<img src=x onerror="${js}`,
    `<script`,
    `<a href="javascript:${js}"`,
    `<a href="javascript:${js}">click`,
    `<svg onload=${js}//`,
    `<!-- <script>${js}</script`,
    `<iframe src="javascript:${js}`,
    `<style>*{background:url(${url}/open`,
    `<![CDATA[ <script>${js}</script`,
    `<?x <script>${js}</script`,
    `[click](javascript:${js}`,
    `[click](<javascript:${js}`,
    `[click][a\n\n[a]: javascript:${js}`,
    `![x](${url}/open.png`,
    `![x](${url}/open.png "title`,
    `[![x](${url}/inner-open.png`,
    `**[click](javascript:${js}`,
    `\`<img src=x onerror=${js}>`,
    `\`\`\`html\n<script>${js}</script>`,
    `~~~\n<img src=x onerror=${js}>`,
    `> \`\`\`\n> <script>${js}</script>`,
    `- **<b onclick=${js}>`,
    `| a | b |\n|---|---|\n| <img src=x onerror=${js}> | [x](javascript:${js}`,
    `<div>\n<p>\n<script>${js}</script>`,
    `# <img src=x onerror=${js}`,
    `&lt;script&gt`,
    `<textarea><script>${js}</script>`,
  ];
}
