// Pictures of the README, taken from a running demo: npm run screenshots (with npm start in another terminal).
import { chromium } from '@playwright/test'

const base = process.env.BASE_URL ?? 'http://127.0.0.1:3000'
const PICTURES = [
  { name: 'accueil', path: '/' },
  { name: 'tableau-de-bord', path: '/dashboard', email: 'admin@demo.voisol.fr' },
  { name: 'repartition', path: '/energy-distribution', email: 'admin@demo.voisol.fr', scroll: 'Qui a reçu quoi' },
  { name: 'consommation', path: '/client-portal/consumption', email: 'client@demo.voisol.fr' },
  { name: 'portail', path: '/client-portal', email: 'client@demo.voisol.fr' },
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
for (const { name, path, email, scroll } of PICTURES) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  if (email) await context.addInitScript((token) => localStorage.setItem('token', token), await tokenOf(email))
  const page = await context.newPage()
  await page.goto(base + path)
  await page.waitForLoadState('networkidle')
  if (scroll)
    await page
      .getByText(scroll)
      .first()
      .evaluate((element) => element.scrollIntoView())
  await page.screenshot({ path: `docs/images/${name}.png` })
  await context.close()
}
await browser.close()
