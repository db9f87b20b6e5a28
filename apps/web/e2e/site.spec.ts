import type { APIRequestContext, Page } from '@playwright/test'
import { buildFullTitle } from '../src/lib/metadata.ts'
import { descriptions } from '../src/site/descriptions.ts'
import { pages } from '../src/site/pages.ts'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  getSkippedRules,
  openInteractive,
  test,
  WIDTHS,
  watchErrors,
} from './fixtures.ts'

/** One address of each kind of page that is read from what is published. */
const SHELVES = {
  '/resources/actualites/:slug': '/resources/actualites',
  '/resources/guides/:slug': '/resources/guides',
  '/resources/webinaires/:slug': '/resources/webinaires',
  '/white-papers/:slug': '/white-papers',
  '/case-studies/:slug': '/case-studies',
  '/user-guide/:slug': '/user-guide',
}
const fixed = pages.filter(({ path }) => !path.includes(':'))
const written = pages.filter(({ path }) => path.includes(':'))

const extractTag = (html: string, tag: string) => new RegExp(`<${tag}[ >].*</${tag}>`, 's').exec(html)?.[0] ?? ''
const extractLinks = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
const extractText = (html: string) => html.replace(/<[^>]+>/g, '').trim()

/** A page that no list leads to: whoever runs an operation gives its address. */
const SAMPLE_PATHS: Record<string, string> = { '/rejoindre/:slug': '/rejoindre/residence-les-tilleuls-1' }

async function fetchFirstPath(request: APIRequestContext, path: keyof typeof SHELVES) {
  const given = SAMPLE_PATHS[path]
  if (given) return given
  const html = await (await request.get(SHELVES[path])).text()
  return extractLinks(extractTag(html, 'main')).find((href) => href.startsWith(path.replace(':slug', ''))) ?? ''
}

/** Addresses of other hosts that the page asks for: none, before the visitor has agreed. */
function watchForeignRequests(page: Page): string[] {
  const strangers: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') strangers.push(request.url())
  })
  return strangers
}

const [TABLET, SHOWCASE] = [768, '/test-nav']

/** Cards that stand alone in the last row of their grid, by the section they are in. */
const listSectionsWithLoneCard = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main ul')].flatMap((list) => {
      const cards = [...list.children].filter((card) => card.matches('.rounded-card'))
      const rows = Map.groupBy(cards, (card) => Math.round(card.getBoundingClientRect().top))
      const counts = [...rows.values()].map((row) => row.length)
      const alone = (counts[0] ?? 0) > 1 && counts.at(-1) === 1
      return alone ? [list.closest('section')?.querySelector('h2')?.textContent ?? list.textContent.slice(0, 40)] : []
    }),
  )

type Own = { title: string; description: string } | undefined

async function expectWhole(page: Page, address: string, own?: Own) {
  const errors = watchErrors(page)
  const strangers = watchForeignRequests(page)
  const answer = await openInteractive(page, address)
  expect(answer?.status()).toBe(200)
  await expect(page).toHaveTitle(own ? buildFullTitle(own.title) : /.{10,} — Voisol$/)
  const description = page.locator('meta[name="description"]')
  await expect(description).toHaveAttribute('content', own?.description ?? /.{60,}/)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expectNoOverflow(page)
    if (width === TABLET && address !== SHOWCASE) expect(await listSectionsWithLoneCard(page), address).toEqual([])
    await expectAccessible(page, { without: getSkippedRules(width) })
  }
  expect(errors).toEqual([])
  expect(strangers).toEqual([])
}

test.describe('every page of the site', () => {
  test('has a title and a description of its own', () => {
    for (const of of [pages.map(({ title }) => title), Object.values(descriptions)])
      expect(new Set(of).size).toBe(pages.length)
  })

  for (const { path, title, meta } of fixed)
    test(`${path} opens, says what it is, fits every width and is accessible`, async ({ windowOf }) => {
      await expectWhole(await windowOf('nobody'), path, meta ? undefined : { title, description: descriptions[path] })
    })

  for (const { path } of written)
    test(`${path} opens, says what it is, fits every width and is accessible`, async ({ windowOf, request }) => {
      const page = await windowOf('nobody')
      await expectWhole(page, await fetchFirstPath(request, path as keyof typeof SHELVES)) // one shelf for each
      const missing = await page.goto(path.replace(':slug', 'rien-de-tel'))
      expect(missing?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cette adresse n’est raccordée à rien')
    })

  test('links only to what exists, down to the anchor', async ({ request }) => {
    test.slow() // every page is read, and every address it names
    const found = new Set<string>()
    for (const { path } of fixed)
      for (const href of extractLinks(await (await request.get(path)).text())) found.add(href)
    expect(found.size).toBeGreaterThan(pages.length)
    for (const href of found) {
      const answer = await request.get(href)
      expect(answer.status(), href).toBe(200)
      const anchor = href.split('#')[1]
      if (anchor) expect(await answer.text(), href).toContain(`id="${anchor}"`)
    }
  })

  for (const { path, title, meta, bare } of fixed)
    test(`${path} is readable before any script`, async ({ request }) => {
      const html = await (await request.get(path)).text()
      const headings = html.match(/<h1[ >].*?<\/h1>/gs) ?? []
      expect(headings.map(extractText)).toEqual([expect.stringMatching(/.{3,}/)])
      expect(headings[0]).not.toMatch(/<h1[^>]* (hidden|aria-hidden="true"|style="[^"]*none)/)
      expect(extractText(extractTag(html, 'main')).length).toBeGreaterThan(200)
      if (!meta) expect(html).toContain(`<title>${buildFullTitle(title)}</title>`)
      // An organiser's own page has nothing of the site around it.
      if (bare) return
      expect(extractLinks(extractTag(html, 'header')).length).toBeGreaterThan(3)
      expect(extractTag(html, 'footer')).toMatch(/<a [^>]*href="\/solutions"[^>]*>Solutions<\/a>/)
    })
})

test.describe('the header', () => {
  const header = (page: Page) => page.getByRole('banner')
  const entry = (page: Page, name: string) => header(page).getByRole('link', { name, exact: true })
  const arrow = (page: Page, name: string) => header(page).getByRole('button', { name: `Sous-menu ${name}` })

  test('gets a border after 20 pixels', async ({ page }) => {
    await openInteractive(page, '/')
    await expect(header(page)).toHaveCSS('border-bottom-color', 'rgba(0, 0, 0, 0)')
    await page.evaluate(() => window.scrollTo(0, 20))
    await expect(header(page)).toHaveCSS('border-bottom-color', 'rgba(0, 0, 0, 0)')
    await page.evaluate(() => window.scrollTo(0, 21))
    await expect(header(page)).toHaveCSS('border-bottom-color', 'rgb(226, 232, 240)')
  })

  test('marks the entry whose address begins the path, and the home page only exactly', async ({ page }) => {
    await openInteractive(page, '/solutions/residential')
    await expect(entry(page, 'Solutions')).toHaveAttribute('aria-current', 'true')
    await expect(entry(page, 'Accueil')).not.toHaveAttribute('aria-current')
    await openInteractive(page, '/')
    await expect(entry(page, 'Accueil')).toHaveAttribute('aria-current', 'page')
  })

  test('opens its menus with the mouse and at a click', async ({ page }) => {
    await openInteractive(page, '/')
    await entry(page, 'Solutions').hover()
    await expect(entry(page, 'Résidentiel')).toHaveCount(0)
    await expect(header(page).getByRole('link', { name: /^Résidentiel/ })).toBeVisible()
    await page.mouse.move(700, 600)
    await expect(header(page).getByRole('link', { name: /^Résidentiel/ })).toBeHidden()
    await arrow(page, 'Solutions').click()
    await header(page)
      .getByRole('link', { name: /^Résidentiel/ })
      .click()
    await expect(page).toHaveURL(/\/solutions\/residential$/)
    await expect(arrow(page, 'Solutions')).toHaveAttribute('aria-expanded', 'false')
  })

  test('is used with the keyboard alone', async ({ page }) => {
    await openInteractive(page, '/')
    await entry(page, 'Accueil').focus()
    await page.keyboard.press('ArrowRight')
    await expect(entry(page, 'Plateforme')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(entry(page, 'Solutions')).toBeFocused()
    await expect(arrow(page, 'Solutions')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowDown')
    await expect(header(page).getByRole('link', { name: /^Collectif/ })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(header(page).getByRole('link', { name: /^Résidentiel/ })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(entry(page, 'Solutions')).toBeFocused()
    await expect(arrow(page, 'Solutions')).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/platform#analytics$/)
    await expect(page.locator('#analytics')).toBeInViewport()
  })

  test('folds into a menu on a telephone, which any link closes', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openInteractive(page, '/')
    const toggle = header(page).getByRole('button', { name: /^(Menu|Fermer)$/ })
    await toggle.click()
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await expectAccessible(page)
    await arrow(page, 'Solutions').click()
    await header(page).getByRole('link', { name: 'Industriel' }).click()
    await expect(page).toHaveURL(/\/solutions\/industrial$/)
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await toggle.click()
    await page.keyboard.press('Escape')
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  })
})

test('an unknown path is not found, and helps', async ({ page }) => {
  const answer = await page.goto('/cette-page/n-existe-pas')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cette adresse n’est raccordée à rien')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Revenir à l’accueil' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('the drawings keep still for those who ask for less motion', async ({ page }) => {
  const moving = () => page.evaluate(() => document.getAnimations().filter((one) => one.playState === 'running').length)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  await expect.poll(moving).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving).toBe(0)
})

test('what is pressed and typed before the program runs is not lost', async ({ page }) => {
  // The program is held back until the reader has done both.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/contact')
  await page.getByLabel('Prénom').fill('Ada')
  await page.getByRole('button', { name: 'Envoyer mon message' }).click()
  release()
  await page.locator('html[data-awake]').waitFor({ state: 'attached' })
  await expect(page.getByLabel('Nom', { exact: true })).toBeFocused()
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(4)
  await expect(page.getByLabel('Prénom')).toHaveValue('Ada')
})
