import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = [
  process.env.CHROMIUM_PATH,
  // Without the windows of a whole browser the suite takes half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => PLACES.find((place) => place && existsSync(place))

function install() {
  const apt = (...args) => spawnSync('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  if (process.getuid?.() !== 0 || apt('--version').status !== 0) return
  console.log('Installation de Chromium…')
  apt('update')
  const add = (name) => apt('install', '-y', '--no-install-recommends', name).status === 0
  if (!add('chromium-headless-shell')) add('chromium')
}

/** Path of the browser for the tests, installed from Debian where that is possible. */
export function ensureChromium() {
  if (!find()) install()
  return find()
}
