import { serveTasks } from './serve.ts'
import { COMPUTE_TASKS } from './tasks.ts'

serveTasks(COMPUTE_TASKS)
