import type { LegalNotice } from '@voisol/contract/legal'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { LABELS } from './labels.ts'

const shown = (value: string | boolean) =>
  typeof value === 'boolean' ? (value ? 'Oui' : 'Non') : value || 'Non renseigné'

/** The notice for those who may not change it. */
export const NoticeFacts = ({ notice }: { notice: LegalNotice }) => (
  <Card title="Éditeur et hébergeur" className="max-w-3xl">
    <FactList facts={LABELS.map(({ field, label }) => ({ label, value: shown(notice[field]) }))} />
  </Card>
)
