import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Without the windows of a whole browser the suite takes half the time: it is wanted even where there is another. */
const SHELL = '/usr/bin/chromium-headless-shell'
const OTHERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = (places) => places.find((place) => place && existsSync(place))

/** A machine without a network must not wait for it long. */
const HASTE = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
const apt = (...args) =>
  spawnSync('apt-get', [...HASTE, ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
const add = (name) => apt('install', '-y', '--no-install-recommends', name)

function install() {
  if (process.getuid?.() !== 0 || !apt('--version')) return
  console.log('Installation de Chromium…')
  apt('update')
  if (!add('chromium-headless-shell') && !find(OTHERS)) add('chromium')
}

/** Path of the browser for the tests: the one asked for, or the lightest that Debian or the machine has. */
export function ensureChromium() {
  const given = find([process.env.CHROMIUM_PATH])
  if (given) return given
  if (!existsSync(SHELL)) install()
  return find([SHELL, ...OTHERS])
}
