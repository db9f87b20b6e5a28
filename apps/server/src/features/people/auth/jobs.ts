import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { RESET_PLACE, sendReset } from './password-reset.ts'

export const authJobs = {
  'auth.password-reset': job({
    input: z.object({ sealed: z.string() }),
    parallel: 4,
    run: (deps, { sealed }) => sendReset(deps, deps.secrets.open(sealed, RESET_PLACE)),
  }),
}
