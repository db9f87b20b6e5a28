import { beforeAll, expect, test } from 'vitest'
import { createFakeWebBuild, makePublishedContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { listDisallowedPaths } from './sitemap.ts'

const server = useServer({ PUBLIC_URL: 'https://voisol.exemple.fr' })
beforeAll(async () => {
  server.app.web = createFakeWebBuild().web
  await makePublishedContent(server.db, 'article', 'partager-son-toit')
  await makePublishedContent(server.db, 'faq', 'une-question')
})

test('the sitemap names every page to be found, with the day of what was published', async () => {
  const answer = await server.app.inject('/sitemap.xml')
  expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(answer.body.match(/<url>.*<\/url>/g)).toEqual([
    '<url><loc>https://voisol.exemple.fr/</loc></url>',
    '<url><loc>https://voisol.exemple.fr/platform</loc></url>',
    '<url><loc>https://voisol.exemple.fr/resources/actualites/partager-son-toit</loc><lastmod>2026-05-04T08:00:00.000Z</lastmod></url>',
  ])
})

test('robots are kept out of the product and told of the sitemap', async () => {
  const lines = (await server.app.inject('/robots.txt')).body.split('\n')
  for (const path of ['/api/', '/login', '/dashboard', '/projects']) expect(lines).toContain(`Disallow: ${path}`)
  expect(lines).toContain('Allow: /api/site-images/')
  expect(lines).toContain('Sitemap: https://voisol.exemple.fr/sitemap.xml')
})

test('a screen whose address begins like a public page does not close it', () => {
  expect(listDisallowedPaths(['/users', '/users/:id'], ['/user-guide'])).toEqual(['/users'])
  expect(listDisallowedPaths(['/use', '/use/:id'], ['/user-guide'])).toEqual(['/use$', '/use/'])
  expect(listDisallowedPaths(['/status'], ['/status/archive'])).toEqual(['/status$'])
})
