import { expect, test } from 'vitest'
import { renderMail } from './mail-layout.ts'

const content = {
  title: 'Bonjour <b>',
  paragraphs: ['Un « texte » & <script>alert(1)</script>', 'Deux\nlignes'],
  action: { label: 'Ouvrir "ici"', url: 'https://exemple.fr/?a=1&b="2' },
  footer: 'Voisol <pied>',
}

test('escapes everything in the HTML and nothing in the text', () => {
  const { html, text } = renderMail(content)
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<pied>')
  expect(html).toContain('href="https://exemple.fr/?a=1&amp;b=&quot;2"')
  expect(html).toContain('Deux<br>lignes')
  expect(text).toContain('<script>alert(1)</script>')
  expect(text).toContain('https://exemple.fr/?a=1&b="2')
})

test('leaves out URLs that are not http or https', () => {
  const { html, text } = renderMail({ ...content, action: { label: 'Ouvrir', url: 'javascript:alert(1)' } })
  expect(html + text).not.toContain('javascript:')
})

test('shows the escaped sender name in the header, or the product name', () => {
  expect(renderMail({ ...content, by: 'Les <Toits>' }).html).toContain('>Les &lt;Toits&gt;</td>')
  expect(renderMail(content).html).toContain('>Voisol</td>')
})

test('the subject stays on one line', () => {
  expect(renderMail({ ...content, title: 'Un\r\nBcc: autre@exemple.fr' }).html).toContain(
    '<title>Un Bcc: autre@exemple.fr</title>',
  )
})

test('shows an image with its alt text, and the unsubscribe link in the footer', () => {
  const picture = { source: 'cid:a@voisol', alt: '42 % "local" <b>', caption: 'Une barre & un jour' }
  const { html, text } = renderMail({ ...content, picture, leave: 'https://exemple.fr/quitter?a=1&b=2' })
  expect(html).toContain('<img src="cid:a@voisol" alt="42 % &quot;local&quot; &lt;b&gt;"')
  expect(html).toContain('Une barre &amp; un jour')
  expect(html).toContain('href="https://exemple.fr/quitter?a=1&amp;b=2"')
  expect(text).toContain('Ne plus recevoir ces messages\u00a0: https://exemple.fr/quitter?a=1&b=2')
  const bad = renderMail({ ...content, leave: 'javascript:alert(1)' })
  expect(bad.html + bad.text).not.toMatch(/javascript:|Ne plus recevoir/)
})
