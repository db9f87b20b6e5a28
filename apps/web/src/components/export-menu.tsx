import type { Endpoint, EndpointInput } from '@voisol/contract/endpoint'
import Download from 'lucide-react/icons/download'
import { download } from '../lib/call.ts'
import { useCan } from '../lib/can.tsx'
import { explainError } from '../lib/error-text.ts'
import { toast } from '../lib/toast.ts'
import { Button } from './button.tsx'
import { Menu, MenuItem } from './menu.tsx'

const TABLE_FORMATS = { csv: 'CSV pour Excel', xlsx: 'Classeur Excel (.xlsx)' }
/** The choice of a menu as the contract names it. */
export const toTableFormat = (format: string): 'csv' | 'xlsx' => (format === 'xlsx' ? 'xlsx' : 'csv')
export const SERIES_FORMATS = {
  'csv-excel': 'CSV pour Excel',
  'csv-data': 'CSV de données',
  xlsx: 'Classeur Excel (.xlsx)',
  json: 'JSON',
}
const SERIES_FORMAT_NAMES = ['csv-excel', 'csv-data', 'xlsx', 'json'] as const
export const toSeriesFormat = (format: string) => SERIES_FORMAT_NAMES.find((one) => one === format) ?? 'csv-excel'

type ExportMenuProps<E extends Endpoint> = {
  endpoint: E
  /** The call for a format: what is on screen, filters and period included. */
  input: (format: string) => EndpointInput<E>
  formats?: Record<string, string>
  label?: string
}

/** Takes away exactly what is shown, in the format one picks. */
export function ExportMenu<E extends Endpoint>({
  endpoint,
  input,
  formats = TABLE_FORMATS,
  label = 'Exporter',
}: ExportMenuProps<E>) {
  const allowed = useCan()(endpoint)
  const downloadExport = (format: string) =>
    download(endpoint, input(format)).catch((error: unknown) =>
      toast({ title: 'Export impossible', description: explainError(error), variant: 'destructive' }),
    )
  if (!allowed) return null
  return (
    <Menu
      trigger={
        <Button variant="secondary" icon={<Download aria-hidden="true" />}>
          {label}
        </Button>
      }
    >
      {Object.entries(formats).map(([format, words]) => (
        <MenuItem key={format} onSelect={() => void downloadExport(format)}>
          {words}
        </MenuItem>
      ))}
    </Menu>
  )
}
