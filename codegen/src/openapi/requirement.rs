//! Security requirements of operations (OpenAPI 3.1.1 §4.8.30).

use super::security_scheme::OWN_HOOK;
use super::version::{self, Version};
use super::{Reader, node::Node};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, in_yaml};
use crate::source::Pointer;
use std::collections::BTreeSet;

/// The names of schemes, each with its scopes: a caller has to satisfy all of them.
pub(super) type Requirement = Vec<(String, Vec<String>)>;

impl<'a> Reader<'a> {
    /// The alternatives of a `security` member. A single requirement is taken for a list of one;
    /// nothing else is guessed, because a wrong guess could let anybody in.
    pub(super) fn requirements(&mut self, node: &Node<'a>) -> Vec<Requirement> {
        let Some(node) = &self.resolve(node.clone(), "security") else {
            return Vec::new();
        };
        let message = "security must be a list of requirements";
        if node
            .value
            .as_object()
            .is_some_and(|alone| !alone.is_empty())
        {
            let fallback = "this is the only one";
            self.invalid(&node.at, message, fallback);
            return vec![self.requirement(node)];
        }
        if !node.value.is_array() {
            self.error(Code::Invalid, &node.at, message);
        }
        let alternatives = node.items();
        alternatives
            .iter()
            .map(|one| self.alternative(one))
            .collect()
    }

    /// One of the alternatives; the bare name of a scheme is a requirement without scopes.
    fn alternative(&mut self, node: &Node<'a>) -> Requirement {
        let message = "a requirement must be an object of schemes with lists of scopes";
        match node.value.as_str() {
            Some(name) => {
                let problem = Diagnostic::new(Code::Invalid, &node.at, message);
                let problem = problem.help(format!("write `{{ {}: [] }}`", in_yaml(name)));
                self.diagnostics
                    .recover(problem, "the scheme of that name is asked for");
                let name = self.scheme_name(name, node);
                self.check_declared(&name, node);
                vec![(name, Vec::new())]
            }
            None => {
                if !node.value.is_object() {
                    self.error(Code::Invalid, &node.at, message);
                }
                self.requirement(node)
            }
        }
    }

    fn requirement(&mut self, node: &Node<'a>) -> Requirement {
        let mut schemes = Vec::new();
        for (name, scopes) in node.entries() {
            let name = self.scheme_name(name, &scopes);
            self.check_declared(&name, &scopes);
            let listed = self.scopes(&scopes);
            self.check_roles(&name, &listed, &scopes);
            schemes.push((name, listed));
        }
        self.check_together(&schemes, &node.at);
        schemes
    }

    /// The name of the scheme that is asked for, which a reference may lead to too (OpenAPI 3.2.0
    /// §4.30); a declared name goes before a reference.
    fn scheme_name(&mut self, name: &str, scopes: &Node<'a>) -> String {
        if self.schemes.iter().any(|(declared, _)| declared == name) {
            return name.to_owned();
        }
        let Some(at) = Pointer::of_reference(name) else {
            return name.to_owned();
        };
        let referred = at.component("securitySchemes");
        let referred = referred.or_else(|| self.scheme_elsewhere(at));
        let Some(referred) = referred else {
            return name.to_owned();
        };
        let what = "a reference to a security scheme in place of its name";
        let own = self.bundle.version;
        version::check(what, Version::V32, own, &scopes.at, self.diagnostics);
        referred
    }

    /// The name of a scheme that is none of the document's components: the last step to it, or that with a
    /// number where another has it.
    fn scheme_elsewhere(&mut self, at: Pointer) -> Option<String> {
        let mut known = self.schemes_elsewhere.iter();
        if let Some((_, name)) = known.find(|(place, _)| *place == at) {
            return Some(name.clone());
        }
        let node = Node::root(self.root).find(&at)?;
        let wanted = at.tokens().last()?;
        let mut name = wanted.clone();
        let mut numbers = 2..;
        while self.schemes.iter().any(|(declared, _)| *declared == name) {
            name = format!("{wanted}{}", numbers.next()?);
        }
        let scheme = self.readable_scheme(node);
        self.schemes.push((name.clone(), scheme));
        self.schemes_elsewhere.push((at, name.clone()));
        Some(name)
    }

    /// The names of scopes. None is dropped, because a dropped one would let others in.
    fn scopes(&mut self, node: &Node<'a>) -> Vec<String> {
        let message = "scopes must be a list of names";
        if node.value.is_null() {
            let fallback = "no scope is asked for";
            self.invalid(&node.at, message, fallback);
            return Vec::new();
        }
        if let Some(only) = node.value.as_str() {
            let fallback = "this is the only scope";
            self.invalid(&node.at, message, fallback);
            return vec![only.to_owned()];
        }
        if !node.value.is_array() {
            self.error(Code::Invalid, &node.at, message);
        }
        let mut names = Vec::new();
        for scope in node.items() {
            match scope.value.as_str() {
                Some(name) => names.push(name.to_owned()),
                None => self.error(Code::Invalid, &scope.at, message),
            }
        }
        names
    }

    /// Checks that only a scheme with scopes lists any before OpenAPI 3.1, which has made roles of the
    /// others' (OpenAPI 3.0.4 §4.7.30).
    fn check_roles(&mut self, name: &str, listed: &[String], scopes: &Node<'a>) {
        let mut schemes = self.schemes.iter();
        let scheme = schemes.find(|(known, _)| known == name);
        let has_scopes = scheme.is_none_or(|(_, scheme)| scheme.has_scopes());
        if self.bundle.version == Version::V30 && !has_scopes && !listed.is_empty() {
            let message =
                format!("only OAuth and OpenID Connect have scopes, and `{name}` is neither");
            self.invalid(
                &scopes.at,
                message,
                "they are roles, as OpenAPI 3.1 has them",
            );
        }
    }

    /// Checks that a scheme of this name is declared; reports an undeclared one once.
    fn check_declared(&mut self, name: &str, scopes: &Node<'a>) {
        let declared = self.schemes.iter().any(|(declared, _)| declared == name);
        if declared || self.undeclared.iter().any(|known| known == name) {
            return;
        }
        let message = format!("the security scheme `{name}` is not declared");
        let problem = Diagnostic::new(Code::UndeclaredSecurityScheme, &scopes.at, message);
        let names = self.schemes.iter().map(|(name, _)| name.as_str());
        let problem = problem.did_you_mean(closest(name, names));
        self.diagnostics.recover(problem, OWN_HOOK);
        self.undeclared.push(name.to_owned());
    }

    /// Reports several credentials of which a request can only send one.
    fn check_together(&mut self, asked: &[(String, Vec<String>)], at: &Pointer) {
        let is_asked = |name: &str| asked.iter().any(|(asked, _)| asked == name);
        let asked = self.schemes.iter().filter(|(name, _)| is_asked(name));
        let ways = asked.filter_map(|(_, scheme)| scheme.authentication());
        if ways.collect::<BTreeSet<_>>().len() > 1 {
            let message = "no request can show these credentials together";
            let help = "`Authorization` holds one of them (RFC 9110 §11.6.2): let each do, or \
                        let one be an API key in another header";
            self.diagnostics
                .warn(Diagnostic::new(Code::UndeclaredSecurityScheme, at, message).help(help));
        }
    }
}
