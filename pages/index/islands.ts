export default () => {
  document.title = 'x';
};
