import { SEO_LENGTHS, seo } from '@voisol/contract/seo'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { makePublishedContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { buildProposals, extractPageText, extractTerms } from './seo-proposals.ts'

const PAGE = `<title>La plateforme — Voisol</title><header><p>Ce qui n’est pas de la page et qui se répète.</p></header>
<main id="contenu"><h1>Un mois d’autoconsommation&#160;collective, <em>sans ressaisie</em></h1>
<p>Voisol reçoit les courbes de charge d’Enedis, les vérifie et répartit l’énergie solaire au quart d’heure. Chaque
participant voit sa part de l’énergie solaire.</p><svg><title>Un dessin</title></svg>
<h2>Répartir l’énergie solaire</h2><p>La clé de répartition choisie par les participants s’applique aux courbes de charge.</p>
<script type="application/json">{"a":"<p>non</p>"}</script><p>Les courbes de charge manquantes sont montrées comme telles.</p></main>`

const expectFit = ({ title, description, keywords }: { title: string; description: string; keywords: string[] }) => {
  for (const [text, { min, max }] of [
    [title, SEO_LENGTHS.title],
    [description, SEO_LENGTHS.description],
  ] as const) {
    expect([...text].length, text).toBeGreaterThanOrEqual(min)
    expect([...text].length, text).toBeLessThanOrEqual(max)
  }
  expect(keywords.length).toBeLessThanOrEqual(8)
}

describe('proposals', () => {
  test('are three, made of the words of the page, the same each time', () => {
    const text = extractPageText(PAGE)
    expect(text.heading).toBe('Un mois d’autoconsommation\u00a0collective, sans ressaisie')
    expect(text.paragraphs).toHaveLength(3)
    const proposals = buildProposals(text)
    expect(proposals).toHaveLength(3)
    proposals.forEach(expectFit)
    expect(proposals[0]?.title).toContain('autoconsommation')
    expect(proposals[0]?.description).toMatch(/^Voisol reçoit les courbes de charge/)
    expect(proposals[0]?.keywords).toContain('énergie solaire')
    expect(buildProposals(text)).toEqual(proposals)
  })

  test('fit whatever the page says', () => {
    const line = fc.lorem({ maxCount: 40, mode: 'words' })
    const text = fc.record({
      title: fc.oneof(fc.constant(''), line),
      heading: fc.oneof(fc.constant(''), line),
      headings: fc.array(line, { maxLength: 4 }),
      paragraphs: fc.array(fc.oneof(line, fc.lorem({ maxCount: 6, mode: 'sentences' })), { maxLength: 6 }),
    })
    fc.assert(fc.property(text, (page) => buildProposals(page).forEach(expectFit)))
  })

  test('keywords are terms, not articles and prepositions', () => {
    const text = 'La clé de la répartition et les clés de répartition de la commune dans la commune'
    expect(extractTerms(text, 3)).toEqual(['répartition', 'commune', 'clé'])
  })
})

describe('over HTTP', () => {
  const server = useServer()
  let token = ''
  beforeAll(async () => {
    token = (await makeSiteAdmin(server.db)).token
  })
  const generate = (path: string) => call(server, seo.generate, { body: { path } }, { token })

  test('a published text has proposals, an unknown address none', async () => {
    await makePublishedContent(server.db, 'article', 'partager-son-toit')
    const { body } = await generate('/resources/actualites/partager-son-toit')
    expect(body.proposals).toHaveLength(3)
    body.proposals.forEach(expectFit)
    expect((await generate('/nulle-part')).body.issues).toEqual([
      { path: 'path', message: 'Il n’y a pas de page à l’adresse /nulle-part.' },
    ])
  })
})
