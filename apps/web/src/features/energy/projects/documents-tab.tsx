import type { ProjectDetail } from '@voisol/contract/projects'
import { DocumentList } from '../../../components/document-list.tsx'

export default function DocumentsTab({ project }: { project: ProjectDetail }) {
  return (
    <DocumentList
      owner={{ ownerKind: 'project', ownerId: project.id }}
      description="Plans, factures, devis, procès-verbaux&nbsp;: ce qui accompagne le projet."
    />
  )
}
