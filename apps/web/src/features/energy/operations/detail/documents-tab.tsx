import type { Operation } from '@voisol/contract/operations'
import { DocumentList } from '../../../../components/document-list.tsx'

export default function DocumentsTab({ operation }: { operation: Operation }) {
  return (
    <DocumentList
      owner={{ ownerKind: 'operation', ownerId: operation.id }}
      description="Convention, accords de participation, procès-verbaux&nbsp;: ce qui accompagne l’opération."
    />
  )
}
