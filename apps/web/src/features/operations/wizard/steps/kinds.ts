export const KIND_OPTIONS = [
  { value: 'person', label: 'Particulier' },
  { value: 'organisation', label: 'Organisation' },
]
