import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import type { TaskReply, TaskRequest, TaskTable } from './task.ts'

/** On Linux a thread has its own priority: the main thread, which answers everybody, goes first on a busy machine. */
function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

function toTaskReply(error: unknown): TaskReply {
  if (error instanceof AppError) {
    const { code, message, issues } = error
    return { refused: { code, message, issues } }
  }
  return { failed: error instanceof Error ? error : new Error(String(error)) }
}

/** The loop of a pool thread: one task at a time, with its module loaded on first use. */
export function serveTasks(table: TaskTable): void {
  const port = parentPort
  if (!port) throw new Error('this runs as a thread')
  lowerThreadPriority()
  const say = (said: TaskReply, moved: ArrayBuffer[] = []) => port.postMessage(said, moved)
  port.on('message', async ({ name, input }: TaskRequest) => {
    try {
      const row = table[name]
      if (!row) throw new Error(`there is no task ${name}`)
      const { default: run } = await row.load()
      const { value, moved } = await run(input as never) // typed by the declaration of the task
      say({ value }, moved)
    } catch (error) {
      say(toTaskReply(error))
    }
  })
}
