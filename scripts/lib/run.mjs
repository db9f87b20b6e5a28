import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const inRoot = (...parts) => path.join(root, ...parts)

const NODE_MAJOR = 26
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const isCurrent = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR

/** Prints a reason and leaves. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** The Node that Voisol needs: this one when it is recent enough, or the one that npm installed. */
export function currentNode() {
  if (isCurrent && existsSync(process.execPath)) return process.execPath
  const installed = inRoot('node_modules/.bin/node')
  if (existsSync(installed)) return installed
  return fail(
    `Voisol demande Node ${NODE_MAJOR}, et npm ne l’a pas installé (scripts d’installation refusés\u00a0?). ` +
      `Lancez «\u00a0npm rebuild node\u00a0» ou installez Node ${NODE_MAJOR}.`,
  )
}

/** Environment in which the project's own commands come first. */
export const withCommands = (extra = {}) => ({
  ...process.env,
  PATH: [inRoot('node_modules/.bin'), process.env.PATH].join(path.delimiter),
  ...extra,
})

/** Runs a command in this process group and gives its exit code; signals sent to this process go on to it. */
export function run(command, args, { nice, ...options } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: withCommands(), ...options })
  if (nice && child.pid) setPriority(child.pid, nice)
  const pass = (signal) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, pass)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.on('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

/** Starts this script again under the right Node when the machine's is too old. */
export async function onCurrentNode() {
  if (!isCurrent) process.exit(await run(currentNode(), process.argv.slice(1), { cwd: process.cwd() }))
}

/** Hands over to a program: in place where Node can, which leaves one process for signals and memory. */
export async function become(program, args) {
  const env = withCommands()
  if (isCurrent && process.execve && process.platform !== 'win32') process.execve(program, [program, ...args], env)
  process.exit(await run(program, args, { env }))
}
