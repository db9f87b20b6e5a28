import type { EnedisCall } from '@voisol/contract/enedis'
import { Table } from '../../../ui/table.tsx'

type CallParam = EnedisCall['params'][number]

const PARAM_KIND_LABELS: Record<CallParam['kind'], string> = {
  prm: '14 chiffres',
  acc: 'ACC et 8 chiffres',
  day: 'Jour, AAAA-MM-JJ',
  text: 'Texte',
}

/** What a call asks for. */
export const CallParams = ({ call }: { call: EnedisCall }) =>
  call.params.length === 0 ? (
    <p className="text-body text-ink-soft">Aucun paramètre.</p>
  ) : (
    <Table
      label={`Paramètres\u00a0: ${call.label}`}
      rows={call.params.map((param) => ({ ...param, id: param.name }))}
      columns={[
        { header: 'Nom', cell: ({ name }) => <code className="whitespace-nowrap">{name}</code> },
        { header: 'Sens', cell: ({ label }) => label },
        { header: 'Forme', cell: ({ kind }) => <span className="whitespace-nowrap">{PARAM_KIND_LABELS[kind]}</span> },
        { header: 'Exemple', cell: ({ example }) => <code className="whitespace-nowrap">{example}</code> },
        { header: 'Obligatoire', cell: ({ required }) => (required ? 'Oui' : 'Non') },
      ]}
    />
  )
