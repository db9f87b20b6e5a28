import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { getNodeArgs } from './process.ts'

const CLI_PATH = join(import.meta.dirname, '../src/cli.ts')

/** Runs a command of the program as an operator would: its exit code and output. */
export const runCli = (args: string[], own: Record<string, string>): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const { PATH = '', LD_LIBRARY_PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env
    const env = { PATH, LD_LIBRARY_PATH, TMPDIR, NODE_COMPILE_CACHE, ...own }
    execFile(process.execPath, getNodeArgs(CLI_PATH, ...args), { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${out}${err}` }),
    )
  })
