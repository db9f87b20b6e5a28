import type { OwnScope } from '@voisol/contract/own-feed'

export const OWN_SCOPE_LABELS: Record<OwnScope, string> = {
  'energy.read': 'Mes énergies',
  'invoices.read': 'Mes factures',
}

/** A REST sensor of Home Assistant: kilowatt-hours of the month, looked at every hour. */
export const formatHomeAssistantConfig = (origin: string, token: string) =>
  [
    'rest:',
    `  - resource: ${origin}/api/own/figures`,
    '    headers:',
    `      Authorization: "Bearer ${token}"`,
    '    scan_interval: 3600',
    '    sensor:',
    '      - name: "Énergie locale du mois"',
    '        value_template: "{{ value_json.month.localKwh }}"',
    '        unit_of_measurement: kWh',
    '        device_class: energy',
    '        state_class: total',
    '      - name: "Consommation du dernier jour"',
    '        value_template: "{{ value_json.lastDay.consumedKwh if value_json.lastDay else none }}"',
    '        unit_of_measurement: kWh',
    '        device_class: energy',
    '        state_class: total',
  ].join('\n')

/** Addresses that a spreadsheet opens by itself. */
export const formatFeedUrls = (origin: string, token: string, scopes: readonly OwnScope[]) =>
  [
    scopes.includes('energy.read') && `${origin}/api/own/days?key=${token}`,
    scopes.includes('energy.read') && `${origin}/api/own/days?dialect=rfc&key=${token}`,
    scopes.includes('invoices.read') && `${origin}/api/own/invoices?key=${token}`,
  ]
    .filter(Boolean)
    .join('\n')
