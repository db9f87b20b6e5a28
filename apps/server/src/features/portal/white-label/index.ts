export { loadStoredWhiteLabel, loadWhiteLabel } from './white-label.ts'
