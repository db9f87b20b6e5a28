import { serveTasks } from '../serve.ts'
import { TEST_TASKS } from './tasks.ts'

serveTasks(TEST_TASKS)
