import { z } from 'zod'
import { defineJob, toStableId } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { renderMail, sendMail } from '../mail/index.ts'
import { storeHeadsSnapshot } from './audit-heads.ts'
import { recordAuditHeads, runAuditCheck } from './check-audit.ts'

const buildHeadsMail = (day: string, support: string) =>
  renderMail({
    title: `Têtes du journal d’audit du ${day}`,
    paragraphs: [
      'Le fichier joint dit jusqu’où allait le journal de chaque organisation, et quel était son dernier maillon.',
      'Gardez-le hors du serveur\u00a0: si la fin d’un journal est un jour coupée ou réécrite, «\u00a0voisol audit verify --heads <fichier>\u00a0» le montre.',
    ],
    footer: `Voisol — une question\u00a0? Écrivez à ${support}.`,
  })

/** Copies the heads of the audit chains out of the database every day, so that removed last entries can be detected. */
export const auditJobs = {
  'audit.verify': defineJob({
    input: z.object({ companyId: z.int() }),
    follows: true,
    run: (deps, { companyId }) => runAuditCheck(deps, companyId),
  }),
  'audit.heads': defineJob({
    input: z.object({}),
    cron: '41 2 * * *',
    async run({ db, secrets, files, config }) {
      const day = getToday()
      const content = await storeHeadsSnapshot(db, secrets, files, day)
      await recordAuditHeads(db, secrets, day)
      if (!content || !config.AUDIT_MAIL) return
      const attachment = { filename: `voisol-audit-${day}.json`, content, contentType: 'application/json' }
      const subject = `Têtes du journal d’audit du ${day}`
      const mail = {
        to: config.AUDIT_MAIL,
        subject,
        attachments: [attachment],
        ...buildHeadsMail(day, config.SUPPORT_EMAIL),
      }
      // One message a day, however often the job runs.
      await sendMail(db, secrets, mail, { id: toStableId(`audit heads ${day}`) })
    },
  }),
}
