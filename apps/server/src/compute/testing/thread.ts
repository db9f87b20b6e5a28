import { serve } from '../serve.ts'
import { TEST_TASKS } from './tasks.ts'

serve(TEST_TASKS)
