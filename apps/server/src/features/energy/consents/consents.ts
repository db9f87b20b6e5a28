export { giveConsent, withdrawConsent } from './give.ts'
export { agreedTo, consentsOf, soon, stateOf } from './kept.ts'
export { tellConsents } from './tell.ts'
export { currentText, everyText } from './texts.ts'
