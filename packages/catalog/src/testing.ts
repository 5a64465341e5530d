/** For tests that start an API server of their own. */
export { admission, admissionPlugins, auditPolicy } from './pieces/kubernetes/policies.ts';
