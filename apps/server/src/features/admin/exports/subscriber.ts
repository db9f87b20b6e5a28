import { DATA_SETS, isDataSet } from '@voisol/contract/data-sets'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'

const getDataSetLabel = (dataSet: string) => (isDataSet(dataSet) ? DATA_SETS[dataSet].label : dataSet)

/** Notifies the requester, who may have left the screen since. */
export const exportSubscriber = defineSubscriber({
  name: 'exports',
  on: ['export.completed', 'export.failed'],
  handle: (tx, deps, { companyId, at, id, name, data }) =>
    notify(tx, deps, {
      companyId,
      at,
      to: [data.userId],
      category: 'system',
      type: name === 'export.completed' ? 'success' : 'error',
      priority: 'low',
      title: name === 'export.completed' ? 'Votre export est prêt' : 'Votre export a échoué',
      message:
        name === 'export.completed'
          ? `${getDataSetLabel(data.dataSet)}\u00a0: ${data.rows.toLocaleString('fr-FR')} lignes. Le fichier reste sept jours.`
          : `${getDataSetLabel(data.dataSet)}\u00a0: ${data.failure}`,
      action: { label: 'Voir les exports', url: '/exports' },
      key: `export ${id}`,
    }),
})
