import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { PASSWORD_RESET_SEAL_CONTEXT, sendPasswordReset } from './change-password.ts'

export const authJobs = {
  'auth.password-reset': defineJob({
    input: z.object({ sealed: z.string() }),
    parallel: 4,
    run: (deps, { sealed }) => sendPasswordReset(deps, deps.secrets.open(sealed, PASSWORD_RESET_SEAL_CONTEXT)),
  }),
}
