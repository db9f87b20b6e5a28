import type { LegalNotice } from '@voisol/contract/legal'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { LEGAL_FIELD_LABELS } from './labels.ts'

const formatFieldValue = (value: string | boolean) =>
  typeof value === 'boolean' ? (value ? 'Oui' : 'Non') : value || 'Non renseigné'

/** The notice for those who may not change it. */
export const LegalNoticeFacts = ({ notice }: { notice: LegalNotice }) => (
  <Card title="Éditeur et hébergeur" className="max-w-3xl">
    <FactList
      facts={LEGAL_FIELD_LABELS.map(({ field, label }) => ({ label, value: formatFieldValue(notice[field]) }))}
    />
  </Card>
)
