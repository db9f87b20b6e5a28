import { useQuery } from '@tanstack/react-query'
import { type BrandDomain, WhiteLabelUpdate, whiteLabel } from '@voisol/contract/white-label'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import type { BrandRecord } from './draft.ts'

type Props = { brand: BrandRecord; companyId: number }

function DomainForm({ brand, companyId }: Props) {
  const update = useAction(whiteLabel.update, [whiteLabel.get, whiteLabel.domain])
  const form = useSchemaForm(WhiteLabelUpdate, {
    defaults: { customDomain: brand.customDomain, version: brand.version },
    save: async (body) => {
      await update.run({ params: { companyId }, body })
      toast({ title: 'Domaine enregistré', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <Field
          form={form}
          name="customDomain"
          label="Domaine de votre espace"
          hint="Par exemple energie.exemple.fr. Vide, il n’y en a pas."
          autoComplete="off"
          optional
        />
      </div>
      <Button type="submit" variant="secondary" loading={form.formState.isSubmitting}>
        Enregistrer le domaine
      </Button>
    </form>
  )
}

const ProveDomainButton = withAccess(whiteLabel.proveDomain, ({ companyId }: { companyId: number }) => {
  const prove = useAction(whiteLabel.proveDomain, [whiteLabel.domain])
  const run = () =>
    prove.run({ params: { companyId } }).then(
      ({ host }) => toast({ title: `${host} est prouvé`, variant: 'success' }),
      (error: unknown) => toast({ title: 'Pas encore', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button size="small" loading={prove.isPending} onClick={() => void run()}>
      Vérifier
    </Button>
  )
})

function DomainStatus({ domain: { provedAt, lapsedAt } }: { domain: BrandDomain }) {
  if (provedAt && lapsedAt) return <Badge tone="danger">Preuve disparue le {formatDate(lapsedAt)}</Badge>
  if (!provedAt) return <Badge tone="warning">{lapsedAt ? 'Preuve perdue' : 'À prouver'}</Badge>
  return <Badge tone="success">Prouvé le {formatDate(provedAt)}</Badge>
}

const isLinkDelayPending = ({ provedAt, linksFrom }: BrandDomain) =>
  provedAt !== null && linksFrom !== null && new Date(linksFrom) > new Date()

/** Whoever took over an administrator's account would send links elsewhere by a domain of theirs: there is time to see it. */
const LinkDelayNotice = ({ linksFrom }: { linksFrom: string }) => (
  <p className="text-body text-ink-soft">
    Les liens de vos messages y mèneront à partir du {formatDateTime(linksFrom)}
    {'\u00a0'}: d’ici là, ils gardent l’adresse de l’installation. Tous les administrateurs en ont été prévenus.
  </p>
)

const DnsRecord = ({ kind, name, value }: { kind: string; name: string; value: string }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
    <p className="basis-full text-[0.8125rem] text-ink-soft">
      {kind} de <span className="font-medium break-all text-ink">{name}</span>
    </p>
    <code className="min-w-0 flex-1 basis-56 text-[0.8125rem] break-all">{value}</code>
    <CopyButton text={value} />
  </div>
)

const DnsRecords = ({ domain }: { domain: BrandDomain }) => (
  <div className="grid gap-3 rounded-card bg-page px-4 py-3">
    <p className="text-[0.8125rem] text-ink-soft">
      {domain.believedUntil &&
        `La preuve n’est plus dans le DNS\u00a0: votre marque ne s’affichera plus à cette adresse à partir du ${formatDate(domain.believedUntil)}. `}
      Chez l’hébergeur de vos noms, écrivez ces deux enregistrements, puis vérifiez{'\u00a0'}:
    </p>
    <DnsRecord kind="TXT" name={domain.recordName} value={domain.record} />
    <DnsRecord kind="CNAME" name={domain.host} value={domain.target} />
  </div>
)

/** The company's own address: chosen, proved by a record that only its owner can write, then read and written to. */
export function DomainCard({ brand, companyId }: Props) {
  const { data } = useQuery(query(whiteLabel.domain, { params: { companyId } }))
  return (
    <Card
      title="Domaine"
      description="À cette adresse, la page de connexion et l’espace client portent votre marque, et les liens de vos messages y mènent quelques jours après validation."
    >
      <div className="grid gap-4">
        <DomainForm brand={brand} companyId={companyId} />
        {data?.host && (
          <>
            <div className="flex flex-wrap items-center gap-3">
              <span className="font-medium break-all">{data.host}</span>
              <DomainStatus domain={data} />
              {(!data.provedAt || data.lapsedAt) && <ProveDomainButton companyId={companyId} />}
            </div>
            {data.linksFrom && isLinkDelayPending(data) && <LinkDelayNotice linksFrom={data.linksFrom} />}
            {(!data.provedAt || data.lapsedAt) && <DnsRecords domain={data} />}
          </>
        )}
      </div>
    </Card>
  )
}
