import { describe, expect, test } from 'vitest'
import { renderHead } from './head.ts'

const url = new URL('https://voisol.exemple.fr/resources/faq')
const page = { url, handle: { title: 'Questions', description: 'Des réponses.' }, indexed: true, data: null }
const factsIn = (html: string) => {
  const found = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1]
  return found ? JSON.parse(found)['@graph'] : []
}

describe('the head of a page', () => {
  test('says what the page says of itself, else what stands for every page', () => {
    const html = renderHead({ ...page, written: undefined })
    expect(html).toContain('<title>Questions — Voisol</title>')
    expect(html).toContain('<meta name="description" content="Des réponses.">')
    expect(html).toContain('<link rel="canonical" href="https://voisol.exemple.fr/resources/faq">')
    expect(html).toContain('<meta property="og:image" content="https://voisol.exemple.fr/og-preview.png">')
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
    expect(renderHead({ ...page, handle: {}, written: undefined })).toContain(
      '<title>Voisol — Intelligence Énergétique',
    )
  })

  test('what is written for the address comes first, as it is and as text', () => {
    const written = { title: '"><script>', description: '', keywords: ['toit'], previewImageUrl: '/a.png' }
    const html = renderHead({ ...page, written })
    expect(html).toContain('<title>&#34;&#62;&#60;script&#62;</title>')
    expect(html).toContain('content="Des réponses."')
    expect(html).toContain('<meta name="keywords" content="toit">')
    expect(html).toContain('https://voisol.exemple.fr/a.png')
  })

  test('a page that is not to be found has neither address nor facts', () => {
    const html = renderHead({ ...page, indexed: false, written: undefined })
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toMatch(/canonical|ld\+json/)
  })

  test('a page with two addresses names the first', () => {
    const html = renderHead({
      ...page,
      url: new URL('/faq', url),
      handle: { canonical: '/resources/faq' },
      written: undefined,
    })
    expect(html).toContain('<link rel="canonical" href="https://voisol.exemple.fr/resources/faq">')
  })
})

describe('facts', () => {
  test('questions and their answers, and the way to the page', () => {
    const body = [{ kind: 'paragraph', children: [{ kind: 'text', text: 'Oui</script>.' }] }]
    const data = { items: [{ kind: 'faq', title: 'Est-ce possible ?', body }] }
    const [questions, way] = factsIn(renderHead({ ...page, data, written: undefined }))
    expect(questions.mainEntity).toEqual([
      { '@type': 'Question', name: 'Est-ce possible ?', acceptedAnswer: { '@type': 'Answer', text: 'Oui</script>.' } },
    ])
    expect(way.itemListElement.map(({ name }: { name: string }) => name)).toEqual([
      'Accueil',
      expect.any(String),
      'Questions',
    ])
  })

  test('the organisation on the first page, an article on its own', () => {
    const home = factsIn(renderHead({ ...page, url: new URL('/', url), written: undefined }))
    expect(home.map((fact: { '@type': string }) => fact['@type'])).toEqual(['Organization', 'WebSite'])
    const data = {
      kind: 'article',
      title: 'Un toit',
      summary: 'Partagé.',
      author: '',
      publishedAt: '2026-01-02T08:00:00Z',
    }
    const at = new URL('/resources/actualites/un-toit', url)
    const [article] = factsIn(renderHead({ ...page, url: at, data, written: undefined }))
    expect(article).toMatchObject({ '@type': 'Article', headline: 'Un toit', author: { name: 'Voisol' } })
  })
})
