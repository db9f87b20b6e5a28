// Pictures of the README and of the site, taken from a running demo: npm run screenshots (with npm start in another terminal).
import { mkdir, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'

const base = process.env.BASE_URL ?? 'http://127.0.0.1:3000'
const ADMIN = 'admin@demo.voisol.fr'
const CLIENT = 'client@demo.voisol.fr'
const TILLEULS = '7c1f5a10-3b52-4e0a-9d41-5a2b7c8e1f01'
const RHONE_SUD = 'b95a3c7e-604d-4281-b7f2-8d13e6a05c03'
const BERGES = '2e84d6b3-91c7-4f5d-8a36-0c9e4b7d2a02'

/** The last June that is over: long days, and a month that no longer changes. */
const now = new Date()
const year = now.getUTCFullYear() - (now.getUTCMonth() < 7 ? 1 : 0)
const june = `unit=month&from=${year}-06-01&to=${year}-07-01`
const day = `unit=day&from=${year}-06-11&to=${year}-06-12`
const curves = `/companies/1/operations/${TILLEULS}/load-curves`
const distribution = `/acc-operations/${TILLEULS}/energy-distribution`

const README = [
  { name: 'accueil', path: '/' },
  { name: 'tableau-de-bord', path: '/dashboard', email: ADMIN },
  { name: 'repartition', path: '/energy-distribution', email: ADMIN, scroll: 'Qui a reçu quoi' },
  { name: 'consommation', path: '/client-portal/consumption', email: CLIENT },
  { name: 'portail', path: '/client-portal', email: CLIENT },
]
/** `from` and `to` are words of the first and of the last card shown; `wide` ones keep their figures in one row. */
const SITE = [
  { name: 'repartition', path: `${distribution}?${june}`, email: ADMIN, from: 'Qui a reçu quoi' },
  { name: 'comparaison', path: `${distribution}?onglet=comparer&${june}`, email: ADMIN, from: 'selon la méthode' },
  { name: 'courbes', path: `${curves}?${day}`, email: ADMIN, tall: 640, from: 'Courbes de la Résidence' },
  {
    name: 'completude',
    path: `/companies/1/operations/${RHONE_SUD}/load-curves?onglet=completude`,
    email: ADMIN,
    from: 'Complétude par point',
  },
  {
    name: 'etude',
    path: '/projects',
    email: ADMIN,
    open: 'Cœur d’Oullins',
    wide: true,
    from: 'produiraient',
    to: 'Mois par mois',
  },
  { name: 'perimetre', path: '/projects', email: ADMIN, open: 'Cœur d’Oullins', tab: 'Périmètre', from: 'Toitures et' },
  {
    name: 'operation',
    path: `/acc-operations/${BERGES}`,
    email: ADMIN,
    wide: true,
    from: 'Ce mois-ci',
    to: 'CO₂ évité',
  },
  { name: 'a-traiter', path: '/dashboard', email: ADMIN, from: 'À traiter' },
  { name: 'production', path: `/production?${june}`, email: ADMIN, from: 'Centrales' },
  { name: 'portail', path: '/client-portal', email: CLIENT, from: 'de votre électricité', to: 'CO₂ évité' },
]

async function tokenOf(email) {
  const answer = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'soleil-partage-demo' }),
  })
  return (await answer.json()).token
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})

const MARGIN = 12
const TALLEST = 760
const PHONE_TALLEST = 470

/** The part of the page from one card to another, with a little of the ground around it. */
async function clipOf(page, { from, to = from, tall = TALLEST }) {
  const boxOf = (words) =>
    page
      .locator('main')
      .getByText(new RegExp(words))
      .first()
      .evaluate((element) => {
        const { x, y, width, height } = (element.closest('.rounded-card') ?? element).getBoundingClientRect()
        return { x, y, width, height }
      })
  const [first, last] = [await boxOf(from), await boxOf(to)]
  const left = Math.min(first.x, last.x)
  const right = Math.max(first.x + first.width, last.x + last.width)
  const whole = last.y + last.height - first.y + 2 * MARGIN
  return {
    x: left - MARGIN,
    y: first.y - MARGIN,
    width: Math.round(right - left + 2 * MARGIN),
    height: Math.round(Math.min(whole, tall)),
  }
}

/** What floats above a screen would hide a part of it. */
const still = '.fixed { visibility: hidden !important }'

async function picture({ path, email, open, tab, scroll, ...cards }, size) {
  const context = await browser.newContext({ ...size, reducedMotion: 'reduce' })
  if (email) await context.addInitScript((token) => localStorage.setItem('token', token), await tokenOf(email))
  const page = await context.newPage()
  await page.goto(base + path)
  await page.waitForLoadState('networkidle')
  if (open) await page.getByRole('link', { name: open }).first().click()
  if (tab) await page.getByRole('tab', { name: tab }).click()
  if (open) await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  if (scroll)
    await page
      .getByText(scroll)
      .first()
      .evaluate((element) => element.scrollIntoView())
  if (cards.from) await page.addStyleTag({ content: still })
  const clip = cards.from ? await clipOf(page, cards) : undefined
  const png = await page.screenshot(clip ? { clip } : {})
  await context.close()
  const { deviceScaleFactor: scale = 1 } = size
  return { png, width: clip && Math.floor(clip.width * scale), height: clip && Math.floor(clip.height * scale) }
}

/** The browser is the only encoder the project has. */
async function asWebp(png) {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.82)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await page.close()
  return Buffer.from(url.split(',')[1], 'base64')
}

const wanted = ({ name }) => !process.env.ONLY || process.env.ONLY.split(',').includes(name)

if (!process.env.ONLY)
  for (const one of README)
    await writeFile(`docs/images/${one.name}.png`, (await picture(one, { viewport: { width: 1280, height: 800 } })).png)

const PRODUCT = 'apps/web/public/product'
await mkdir(PRODUCT, { recursive: true })
/** A telephone is shown the screen as a telephone draws it: the large one would be too small to read there. */
const PHONE = { viewport: { width: 390, height: 2400 }, deviceScaleFactor: 2 }
for (const one of SITE.filter(wanted)) {
  const large = { viewport: { width: one.wide ? 1280 : 960, height: 2400 }, deviceScaleFactor: 1.5 }
  for (const [name, size] of [
    [one.name, large],
    [`${one.name}-telephone`, PHONE],
  ]) {
    const cards = size === PHONE ? { ...one, tall: PHONE_TALLEST } : one
    const { png, width, height } = await picture(cards, size)
    const webp = await asWebp(png)
    await writeFile(`${PRODUCT}/${name}.webp`, webp)
    console.log(`${name} ${width} × ${height}, ${Math.round(webp.length / 1024)} kB`)
  }
}
await browser.close()
