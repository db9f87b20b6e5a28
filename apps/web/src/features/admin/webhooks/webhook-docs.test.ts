import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { VERIFICATION_SAMPLES } from './webhook-docs.tsx'

const folder = mkdtempSync(join(tmpdir(), 'voisol-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_Tm91cyBwYXJ0YWdlb25zIGxlIHNvbGVpbCBkZXMgdG9pdHM='
const NOW = 1_794_900_417
const BODY = '{"event":"operation.created","data":{"name":"L’Écluse"}}'
const sign = (secret: string, body: string, at: number) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`m17.${at}.${body}`)
    .digest('base64')}`
const buildHeaders = (signature: string, at = NOW) => ({
  'webhook-id': 'm17',
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
})

/** What arrives, and whether it is to be believed. */
const CASES: [object, string, boolean][] = [
  [buildHeaders(sign(SECRET, BODY, NOW)), BODY, true],
  [buildHeaders(`${sign(OTHER, BODY, NOW)} ${sign(SECRET, BODY, NOW)}`), BODY, true],
  [buildHeaders(sign(OTHER, BODY, NOW)), BODY, false],
  [buildHeaders(sign(SECRET, BODY, NOW)), BODY.replace('created', 'removed'), false],
  [buildHeaders(sign(SECRET, BODY, NOW - 3600), NOW - 3600), BODY, false],
  [buildHeaders('v1,'), BODY, false],
]
const casesJson = JSON.stringify(CASES.map(([headers, body]) => [headers, body]))

/** The sample in a file, what calls it for each case, and who runs it. */
const RUNNERS = {
  node: {
    file: 'verify.mjs',
    caller: `\nconst all = JSON.parse(process.argv[2])\nconsole.log(JSON.stringify(all.map(([h, b]) => verify('${SECRET}', h, b, ${NOW}))))`,
    command: process.execPath,
  },
  python: {
    file: 'verify.py',
    caller: `\nimport json, sys\nprint(json.dumps([verify('${SECRET}', h, b, ${NOW}) for h, b in json.loads(sys.argv[1])]))`,
    command: 'python3',
  },
  php: {
    file: 'verify.php',
    caller: `\necho json_encode(array_map(fn ($one) => verify('${SECRET}', $one[0], $one[1], ${NOW}), json_decode($argv[1], true)));`,
    command: 'php',
  },
}
const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0

for (const { id, label, code } of VERIFICATION_SAMPLES) {
  const { file, caller, command } = RUNNERS[id]
  test.runIf(isInstalled(command))(`the sample for ${label} believes what is signed, and nothing else`, () => {
    const path = join(folder, file)
    writeFileSync(path, code + caller)
    const { stdout, stderr } = spawnSync(command, [path, casesJson], { encoding: 'utf8' })
    expect([stderr, JSON.parse(stdout || '[]')]).toEqual(['', CASES.map(([, , believed]) => believed)])
  })
}
