import { z } from 'zod'
import { job, jobId } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { mailLayout, sendMail } from '../mail/mail.ts'
import { runCheck } from './check.ts'
import { keepSheet } from './heads.ts'
import { tellHeads } from './tell-heads.ts'

const layout = (day: string, support: string) =>
  mailLayout({
    title: `Têtes du journal d’audit du ${day}`,
    paragraphs: [
      'Le fichier joint dit jusqu’où allait le journal de chaque organisation, et quel était son dernier maillon.',
      'Gardez-le hors du serveur\u00a0: si la fin d’un journal est un jour coupée ou réécrite, «\u00a0voisol audit verify --heads <fichier>\u00a0» le montre.',
    ],
    footer: `Voisol — une question\u00a0? Écrivez à ${support}.`,
  })

/** The heads of the audit chains leave the database every day, so that a cut tail shows. */
export const auditJobs = {
  'audit.verify': job({
    input: z.object({ companyId: z.int() }),
    follows: true,
    run: (deps, { companyId }) => runCheck(deps, companyId),
  }),
  'audit.heads': job({
    input: z.object({}),
    cron: '41 2 * * *',
    async run({ db, secrets, files, config }) {
      const day = today()
      const content = await keepSheet(db, secrets, files, day)
      await tellHeads(db, secrets, day)
      if (!content || !config.AUDIT_MAIL) return
      const attachment = { filename: `voisol-audit-${day}.json`, content, contentType: 'application/json' }
      const subject = `Têtes du journal d’audit du ${day}`
      const mail = { to: config.AUDIT_MAIL, subject, attachments: [attachment], ...layout(day, config.SUPPORT_EMAIL) }
      // One message a day, however often the job runs.
      await sendMail(db, secrets, mail, { id: jobId(`audit heads ${day}`) })
    },
  }),
}
