import type { EventData } from '@voisol/contract/events'
import { NBSP } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import { curveImports } from '../../../db/schema/index.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

const buildCurvesAction = (companyId: number, { operations: [first] }: EventData<'curves.imported'>) =>
  first && {
    action: { label: 'Voir les courbes', url: `/companies/${companyId}/operations/${first}/load-curves` },
  }

export const curveImportSubscriber = defineSubscriber({
  name: 'curves',
  on: ['curves.imported', 'curves.asked'],
  async handle(tx, deps, { name, companyId, at, data }) {
    const mine = and(eq(curveImports.companyId, companyId), eq(curveImports.id, data.importId))
    const [row] = await tx.select().from(curveImports).where(mine)
    if (!row) return
    const shared = { companyId, at, to: { permission: 'curves.import' as const }, category: 'operations' as const }
    if (name === 'curves.asked')
      await notify(tx, deps, {
        ...shared,
        type: 'warning',
        priority: 'high',
        title: 'Fichier de courbes à vérifier',
        message: `«${NBSP}${row.name}${NBSP}» attend que vous disiez comment le lire${NBSP}: rien n’en est encore enregistré.`,
        action: { label: 'Vérifier le fichier', url: `/enedis-data?onglet=imports&import=${data.importId}` },
        key: `curve-waiting ${data.importId}`,
      })
    else
      await notify(tx, deps, {
        ...shared,
        type: 'success',
        priority: 'low',
        title: 'Courbes enregistrées',
        message: `«${NBSP}${row.name}${NBSP}»${NBSP}: ${row.message}`,
        ...buildCurvesAction(companyId, data),
        key: `curve-import ${data.importId}`,
      })
  },
})
