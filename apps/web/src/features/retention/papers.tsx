import { retention } from '@voisol/contract/retention'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'

const showFailure = (error: unknown) =>
  toast({ title: 'Document non téléchargé', description: explainError(error), variant: 'destructive' })

const DOCUMENTS = [
  { call: retention.register, label: 'Registre des traitements (PDF)' },
  { call: retention.consentPack, label: 'Dossier des accords (PDF)' },
]

export const RetentionDocuments = () => (
  <Card title="Documents" description="Faits à l’instant de ce qui est réglé, connecté et accepté.">
    <div className="grid justify-items-start gap-3">
      <div className="flex flex-wrap gap-3">
        {DOCUMENTS.map(({ call, label }) => (
          <Button
            key={label}
            variant="secondary"
            icon={<Download aria-hidden="true" />}
            onClick={() => void download(call, {}).catch(showFailure)}
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="text-body text-ink-soft">
        La liste nominative des accords d’une opération est dans les{' '}
        <Link to="/regulatory-exports" className="text-link">
          exports réglementaires
        </Link>
        .
      </p>
    </div>
  </Card>
)
